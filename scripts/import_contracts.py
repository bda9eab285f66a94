"""An import contract that import-linter lacks: these packages may use these libraries and no others."""

import sys

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class OnlyContract(Contract):
    """Some packages import themselves, the standard library and the allowed libraries, nothing else.

    Options: ``modules``, the packages that promise it, and ``allowed``, the libraries they may use.
    """

    type_name = "only"

    # import-linter declares a field here and puts its value there.
    modules: list[str] = fields.ListField(subfield=fields.StringField())  # type: ignore[assignment]
    allowed: list[str] = fields.ListField(subfield=fields.StringField())  # type: ignore[assignment]

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002, FBT001  # as the base class has it
        """Collect every import that breaks the promise."""
        strangers = [
            f"{importer} -> {imported}"
            for promised in self.modules
            for importer in sorted({promised} | graph.find_descendants(promised))
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if not self.may_import(imported)
        ]
        return ContractCheck(kept=not strangers, metadata={"strangers": strangers})

    def may_import(self, name: str) -> bool:
        """Whether the promise covers this import."""
        library = name.partition(".")[0]
        at_home = any(name == package or name.startswith(f"{package}.") for package in self.modules)
        return at_home or library in sys.stdlib_module_names or library in self.allowed

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name the imports."""
        for stranger in check.metadata["strangers"]:
            output.print_error(f"- {stranger}", bold=True)
