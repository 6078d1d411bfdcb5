"""Apart from eyes.py, which may only be imported where the accessibility bus is already known."""


class NotSeen(Exception):
    pass
