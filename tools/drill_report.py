"""What a restore drill has shown, as numbers and in sentences."""

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Report:
    """The outcome of a drill; `lost` must be 0."""

    apart: bool
    before: int = 0
    """Actions that were acknowledged before the moment."""
    lost: int = 0
    """Those of them that are gone."""
    after: int = 0
    """Actions that were acknowledged after the moment, and are gone as they must be."""
    kept_after: int = 0
    """Those of them that are there all the same: between the moment and its note."""
    tables: int = 0
    ended: int = 0
    verified: int = 0
    tables_gone: int = 0
    """Tables that were opened after the moment."""
    tables_orphaned: int = 0
    """Tables that are there, with people whom the directory no longer knows."""
    people: int = 0
    people_gone: int = 0
    """Guests whose session is no longer known."""
    repaired: dict[str, int] | None = None
    base_bytes: int = 0
    log_bytes: int = 0
    log_pieces: int = 0
    backup_seconds: float = 0
    kept_seconds: float = 0
    """How long it took until the log of the moment was safe."""
    restore_seconds: float = 0
    repair_seconds: float = 0
    ready_seconds: float = 0
    seconds: float = 0

    @property
    def is_good(self) -> bool:
        """Whether nothing is lost that was promised, and every game has come to its end."""
        return self.before > 0 and self.lost == 0 and self.ended == self.verified == self.tables > 0


def lines(report: Report) -> list[str]:
    """The outcome in lines that people read."""
    there, lost = report.before - report.lost, report.after - report.kept_after
    base, log = report.base_bytes / 1e6, report.log_bytes / 1e6
    return [
        f"acknowledged before the moment  {report.before}, of which {there} are there",
        f"acknowledged after the moment   {report.after}, of which {lost} are lost",
        f"tables opened after it          {report.tables_gone}, lost",
        f"people                          {report.people}, of whom {report.people_gone} are no longer known",
        f"tables of theirs                {report.tables_orphaned}, there, but nobody can take those seats",
        f"games that went on              {report.tables}: {report.ended} ended, {report.verified} verified",
        f"base backup                     {base:.1f} MB in {report.backup_seconds:.1f} s",
        f"kept log                        {log:.1f} MB in {report.log_pieces} pieces of 16.8 MB",
        f"the moment was safe after       {report.kept_seconds:.1f} s",
        f"restore, check and repair       {report.restore_seconds:.1f} s, {report.repair_seconds:.1f} s",
        f"service ready                   {report.ready_seconds:.1f} s later",
    ]
