"""Source distributions (tar.gz): brought by pip without running anything of them, and read member by member."""
import pathlib
import tarfile

MOST_BYTES = 256 << 20  # unpacked; what tests need of a source distribution is small
MOST_MEMBERS = 20_000


def backend(name: str, version: str, folder: pathlib.Path) -> dict:
    """The environment in which pip asks a build backend of ours, which only says name and version.

    pip brings a source distribution no other way than with its metadata, and asks the backend that the distribution
    names. Those pinned here name setuptools, which is found in `folder` first; pip checks the SHA-256 before it asks.
    """
    dist_info = f"{name.replace('-', '_')}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    package = folder / "setuptools"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "build_meta.py").write_text(
        "import pathlib\n"
        "def prepare_metadata_for_build_wheel(folder, config_settings=None):\n"
        f"    place = pathlib.Path(folder, {dist_info!r})\n"
        "    place.mkdir()\n"
        f"    (place / 'METADATA').write_text({metadata!r})\n"
        f"    return {dist_info!r}\n")
    return {"PYTHONPATH": str(folder)}


def members(archive: tarfile.TarFile, refuse) -> list:
    """The plain files of the archive. `refuse(text)` is raised for what no source distribution needs to hold."""
    found, size = [], 0
    for member in archive:  # reads headers only as far as they are asked for
        size += max(member.size, 0)
        if len(found) >= MOST_MEMBERS or size > MOST_BYTES:
            raise refuse(f"holds more than {MOST_MEMBERS} files or {MOST_BYTES >> 20} MiB")
        parts = member.name.split("/")
        if member.name.startswith("/") or ".." in parts or "\\" in member.name:
            raise refuse(f"holds the path {member.name}, which leaves its folder")
        if member.isdir():
            continue
        if not member.isreg() or member.issparse():
            raise refuse(f"holds {member.name}, which is a link or no plain file")
        found.append(member)
    return found
