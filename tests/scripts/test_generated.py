"""Tests of folders of generated files: what is read meanwhile is whole, and what was right stays."""

from pathlib import Path

from scripts.browser_words import write_folder


def test_a_file_that_is_as_it_should_be_is_not_touched(tmp_path: Path) -> None:
    write_folder(tmp_path, {"a.json": b"1\n"})
    before = (tmp_path / "a.json").stat()
    write_folder(tmp_path, {"a.json": b"1\n", "b.json": b"2\n"})
    after = (tmp_path / "a.json").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert (tmp_path / "b.json").read_bytes() == b"2\n"


def test_whoever_reads_a_file_while_it_changes_reads_it_whole(tmp_path: Path) -> None:
    write_folder(tmp_path, {"a.json": b"before\n"})
    with (tmp_path / "a.json").open("rb") as reader:
        write_folder(tmp_path, {"a.json": b"and after\n"})
        assert reader.read() == b"before\n"
    assert (tmp_path / "a.json").read_bytes() == b"and after\n"


def test_what_is_generated_no_more_goes(tmp_path: Path) -> None:
    write_folder(tmp_path, {"a.json": b"1\n", "b.json": b"2\n"})
    write_folder(tmp_path, {"a.json": b"1\n"})
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]
