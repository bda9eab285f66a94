"""Commands with several tasks: `cartagena db upgrade`, `cartagena admin ban`."""

from typing import Any

import click

from cartagena.cli.extras import no_service
from cartagena.cli.style import Command, CommandGroup, Speaking, words


class Task(Speaking):
    """One task of a command; `words_key` is where the catalogue says what it is."""

    def __init__(self, *args: Any, words_key: str, **kwargs: Any) -> None:  # click hands over its own
        super().__init__(*args, **kwargs)
        self.words_key = words_key

    def help_key(self) -> str:
        """Where the catalogue says what this is."""
        return self.words_key

    def invoke(self, ctx: click.Context) -> Any:
        """Run the task; without the libraries of the service only the help page can be shown."""
        if ctx.parent is not None and isinstance(ctx.parent.command, Tasks):
            ctx.parent.command.demand_service()
        return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Those examples of the whole command that are about this task, and the exit codes."""
        group, _, name = self.words_key.rpartition(".")
        heading, *examples = words(ctx).say(f"{group}.examples").splitlines()
        call = f" {group.removeprefix('command.')} {name} "
        own = [example for example in examples if call in f"{example} "]
        formatter.write("\n".join(["", heading, *own, ""]))
        super().format_epilog(ctx, formatter)


class Tasks(Command, CommandGroup):
    """A command with tasks, each with a line on its help page; `missing` is a library that it lacks."""

    def __init__(self, *args: Any, missing: str | None = None, **kwargs: Any) -> None:  # as above
        super().__init__(*args, **kwargs)
        self.missing = missing

    def demand_service(self) -> None:
        """Refuse where the libraries of the service are not installed."""
        if self.missing is not None:
            raise no_service(self.missing)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A line for each."""
        tasks = [task for task in self.commands.values() if isinstance(task, Task)]
        with formatter.section(words(ctx).say("command.commands")):
            formatter.write_dl([(str(task.name), words(ctx).say(task.help_key())) for task in tasks])
