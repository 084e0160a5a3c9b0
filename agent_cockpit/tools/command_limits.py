"""What a command may do while it runs, from the facts that it was allowed for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.facts import fingerprint
from agent_cockpit.tools.protocol import RunDeps
from agent_cockpit.workspace.sandbox.places import nearest, real
from agent_cockpit.workspace.sandbox.protocol import Limits, Network


@dataclass(frozen=True, slots=True)
class More:
    """What the model asks for beyond what the command's own words say."""

    network: bool = False
    outside: bool = False


NO_MORE = More()


def limits_of(facts: CallFacts, deps: RunDeps, more: More) -> Limits:
    """The least that lets the command do what its facts say; more only where a person, a
    rule or a grant of theirs is between (tier 3 and above)."""
    is_asked = facts.tier >= 3
    starts = [part for part in facts.parts if part.tier >= 3]
    programs = {part.program for part in starts}
    network: Network = "local" if facts.mutates and not is_asked else "none"
    if is_asked and (facts.network or more.network):
        network = "open"
    return Limits(
        writes=facts.mutates,
        network=network,
        also_writes=_opened(_outside(facts.writes, deps)) if is_asked else (),
        also_reads=_outside(facts.reads, deps),
        anywhere=is_asked and more.outside,
        # With another program in the line, that one could change what git starts.
        changes_repository=programs == {"git"} and facts.mutates,
        secrets=_secrets_of(programs),
    )


def asking_for(more: More, facts: CallFacts) -> CallFacts:
    """`facts` of a command for which more is asked than its words say: a person decides, every
    time, and reads what for."""
    wishes = ["with network"] if more.network and not (facts.network and facts.tier >= 3) else []
    wishes += ["writing anywhere outside the workspace"] if more.outside else []
    if not wishes:
        return facts
    return replace(
        facts,
        tier=max(facts.tier, 4 if more.outside else 3),
        reason=f"{facts.reason}, {' and '.join(wishes)}",
        mutates=True,
        network=facts.network or more.network,
        grantable=False,
        scope_words=None,
    )


def command_fingerprint(command: str, limits: Limits) -> str:
    """What stands for exactly this text, run with exactly these limits."""
    return fingerprint(f"{command}\0{limits}")


def _secrets_of(programs: set[str]) -> tuple[str, ...]:
    """What these programs, and no others beside them, may be shown."""
    strangers = programs - _SECRETS.keys() or (len(programs) > 1 and programs & _RUN_OTHERS_CODE)
    if strangers:
        return ()
    return tuple(sorted({name for program in programs for name in _SECRETS[program]}))


def _outside(paths: tuple[str, ...], deps: RunDeps) -> tuple[Path, ...]:
    """Those of `paths` that lead out of the workspace, absolute."""
    root = deps.workspace.root
    found = (real(root / Path(path).expanduser()) for path in paths if _is_a_name(path))
    return tuple(dict.fromkeys(path for path in found if not path.is_relative_to(root)))


def _opened(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Where these can be written: a file that is not there yet needs the folder that it will
    be in. The whole tree is never opened this way."""
    return tuple(place for place in dict.fromkeys(map(nearest, paths)) if place != Path("/"))


def _is_a_name(path: str) -> bool:
    """Whether it can name a file: `~nobody` has no meaning, and nothing holds a NUL."""
    try:
        Path(path).expanduser()
    except RuntimeError:
        return False
    return bool(path) and "\0" not in path


_REMOTE = (".ssh", ".netrc")
_SECRETS: dict[str, tuple[str, ...]] = {
    "git": (*_REMOTE, ".git-credentials", ".config/git/credentials", ".config/gh", ".gnupg"),
    **dict.fromkeys(("ssh", "scp", "sftp", "rsync"), (".ssh",)),
    "curl": (),
    "wget": (),
    "gh": (*_REMOTE, ".config/gh"),
    "glab": (*_REMOTE, ".config/glab"),
    "aws": (".aws",),
    "az": (".azure",),
    **dict.fromkeys(("gcloud", "gsutil"), (".config/gcloud",)),
    **dict.fromkeys(("kubectl", "helm"), (".kube",)),
    "twine": (".pypirc",),
    "psql": (".pgpass",),
    "gpg": (".gnupg",),
    **dict.fromkeys(("docker", "podman"), (".docker", ".config/containers/auth.json")),
    **dict.fromkeys(("npm", "pnpm", "yarn"), (".npmrc",)),
    **dict.fromkeys(("pip", "pip3", "uv"), (".netrc",)),
    "cargo": (".cargo/credentials", ".cargo/credentials.toml"),
    "gem": (".gem/credentials",),
    "terraform": (".terraform.d", ".terraformrc", ".aws"),
}
"""What each program proves itself with. In a line with any program that is not here, which
could pass them on, none is shown."""
_RUN_OTHERS_CODE = frozenset(
    {"docker", "podman", "npm", "pnpm", "yarn", "pip", "pip3", "uv", "cargo", "gem", "terraform"}
)
"""Those that start what they fetch: shown their own, and nothing of a program beside them."""
