"""An environment whose source evaluates text."""

from dataclasses import replace

from planted.faulty import sound

environment = replace(sound, solve=lambda task: eval(task.prompt[4:-1].replace(",", "+")))  # noqa: S307  the fault
