"""One style for every command: words from the catalogue, exit codes, flags, and tasks of a command."""

import enum
import importlib
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Final, TextIO

import click
from click.shell_completion import CompletionItem

from cartagena.cli.language import language_of
from cartagena.words import Words, languages
from cartagena.words.printable import printable


class ExitCode(enum.IntEnum):
    """How a command ended, for the program that called it; click itself gives 0 and, for a wrong use, 2."""

    REFUSED = 1
    UNREADABLE = 3
    NOT_INSTALLED = 4


class CommandRefused(click.ClickException):
    """The rules refuse, or a check failed; the catalogue has the words for it."""

    exit_code: ClassVar[int] = ExitCode.REFUSED

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(spoken(key, **values))


class Unreadable(CommandRefused):
    """A file that cannot be read or written, or whose text cannot be understood."""

    exit_code: ClassVar[int] = ExitCode.UNREADABLE


class NotInstalled(CommandRefused):
    """A library of an extra is missing; the words say what to type."""

    exit_code: ClassVar[int] = ExitCode.NOT_INSTALLED


def words(context: click.Context | None = None) -> Words:
    """The words of the language asked for, else of the environment's."""
    root = (context or click.get_current_context()).find_root()
    if not isinstance(root.obj, Words):
        root.obj = Words()
    return root.obj


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal; Python has None for one that was closed before it began."""
    return stream is not None and stream.isatty()


def spoken(key: str, **values: object) -> str:
    """The words of a key. Values may be what others wrote: a service, a player, the author of a file."""
    return words().say(key, **{name: _shown(value) for name, value in values.items()})


def _shown(value: object) -> object:
    return printable(str(value)) if isinstance(value, str | BaseException) else value


def say(key: str, **values: object) -> None:
    """Print the words of a key."""
    click.echo(spoken(key, **values))


class Flag(click.Option):
    """An option of the command line whose help stands in the catalogue under its name."""

    def find_words(self, ctx: click.Context) -> None:
        """Look up what this flag does, in the language of this call."""
        self.help = words(ctx).say(f"flag.{self.name}")

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The line of the help page."""
        self.find_words(ctx)
        return super().get_help_record(ctx)


class Speaking(click.Command):
    """What can be called in any language: its help and its flags stand in the catalogue."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # click hands over its own parameters
        super().__init__(*args, **kwargs)
        self.params += [_language_flag()]

    def help_key(self) -> str:
        """Where the catalogue says what this is, in a few sentences."""
        return f"command.{self.name}.help"

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The flag that shows the help page."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = words(ctx).say("flag.help")
        return option

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """What a shell may put in here, each with a few words."""
        for flag in self.params:
            if isinstance(flag, Flag):
                flag.find_words(ctx)
        return super().shell_complete(ctx, incomplete)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What this is, at the top of its help page."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(words(ctx).say(self.help_key()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The exit codes."""
        formatter.write(f"\n{words(ctx).say('command.exit_codes')}\n")


class Completed(click.types.StringParamType, ABC):
    """A word that a shell can complete."""

    @abstractmethod
    def offered(self) -> Iterable[CompletionItem]:
        """All that the word may be."""

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002  # click's signature
        param: click.Parameter,  # noqa: ARG002  # the same
        incomplete: str,
    ) -> list[CompletionItem]:
        """The offered words that begin with what was typed."""
        return [item for item in self.offered() if item.value.startswith(incomplete)]


class Command(Speaking):
    """A command, with examples that can be copied."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, and the exit codes."""
        formatter.write(f"\n{words(ctx).say(f'command.{self.name}.examples')}\n")
        super().format_epilog(ctx, formatter)


class CommandGroup(click.Group):
    """A group of commands that suggests the right name for a mistyped one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called; an unknown name is a wrong use."""
        name = args[0]
        is_known = name in self.list_commands(ctx) or name.startswith("-")
        if not is_known and not ctx.resilient_parsing:
            ctx.fail(_no_such_command(ctx, name, self.list_commands(ctx)))
        return super().resolve_command(ctx, args)


def _no_such_command(ctx: click.Context, name: str, known: list[str]) -> str:
    near = near_to(name, known)
    if near:
        return words(ctx).say("error.no_such_command.near", name=name, near=", ".join(near))
    return words(ctx).say("error.no_such_command", name=name)


def near_to(typed: str, known: Iterable[str]) -> list[str]:
    """The known words that may have been meant, the likeliest first.

    >>> near_to("anaylse", ["play", "replay", "analyse"])
    ['analyse']
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only who mistypes waits for it

    return get_close_matches(typed, known)


class Entrance(Speaking, CommandGroup):
    """The program itself: it knows its commands by name and imports one only when it is called."""

    def __init__(self, *args: Any, modules: dict[str, str], **kwargs: Any) -> None:  # as above
        super().__init__(*args, **kwargs)
        self.modules = modules

    def main(self, args: Any = None, *rest: Any, **kwargs: Any) -> Any:  # click's own types
        """Run in the language of the call."""
        arguments = sys.argv[1:] if args is None else list(args)
        with language_of(arguments):
            return super().main(arguments, *rest, **kwargs)

    def help_key(self) -> str:
        """Where the catalogue says what the program is."""
        return "command.help"

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """The names of all commands."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of a name, imported now."""
        if cmd_name not in self.modules:
            return None
        command: click.Command = importlib.import_module(self.modules[cmd_name]).command
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands that begin with what was typed, without importing any; else the flags."""
        names = [name for name in self.modules if name.startswith(incomplete)]
        items = [CompletionItem(name, help=words(ctx).say(f"command.{name}.summary")) for name in names]
        return items or super().shell_complete(ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A line for each command, without importing any."""
        rows = [(name, words(ctx).say(f"command.{name}.summary")) for name in self.modules]
        with formatter.section(words(ctx).say("command.commands")):
            formatter.write_dl(rows)


def _language_flag() -> Flag:
    return Flag(
        ["--lang", "lang"],
        type=click.Choice(languages()),
        is_eager=True,
        expose_value=False,
        callback=_choose_language,
    )


def _choose_language(context: click.Context, _: click.Parameter, language: str | None) -> None:
    if language is not None:
        context.find_root().obj = Words(language)


JSON: Final = click.option("--json", "as_json", is_flag=True, cls=Flag)
"""The flag of every command whose answer another program might read."""


def no_client(library: str) -> NotInstalled:
    """Tables of a service need the extra `client`."""
    return NotInstalled("error.no_client", library=library, command=_command_for("client"))


def no_service(library: str) -> NotInstalled:
    """A service needs the extra `server`."""
    return NotInstalled("error.no_service", library=library, command=_command_for("server"))


def _command_for(extra: str) -> str:
    from cartagena.install import install_command, installed_from  # noqa: PLC0415 - only a failure asks

    return install_command(extra, installed_from())


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
