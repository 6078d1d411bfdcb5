#include "chat/loop.h"

#include "chat/runtime.h"

namespace assay::data::jinja {

bool Loop::next() {
    if (!hasAfter && !iterator->next(after)) return false;
    hasAfter = false;
    ++index0;
    before = current;
    current = after;
    return true;
}

bool Loop::peek() {
    if (!hasAfter) hasAfter = iterator->next(after);
    return hasAfter;
}

// Of what has no length of its own, all that is left is walked over and kept.
int64_t Loop::length() {
    if (known >= 0) return known;
    if (sized) return known = runtime->length(iterable);
    Value rest = Value::of(Kind::kIterator);
    rest.iterator = iterator;
    const Value kept = runtime->list(runtime->items(rest));
    iterator = runtime->iterate(kept);
    return known = kept.seq->size + index0 + 1 + (hasAfter ? 1 : 0);
}

}  // namespace assay::data::jinja
