"""`Harness`: the one file that knows every concrete class; settings to a ready sitting."""

from __future__ import annotations

import asyncio
import hashlib
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

from agent_cockpit.engine.goals.planner import ProviderPlanner
from agent_cockpit.engine.goals.session import Session
from agent_cockpit.engine.goals.verifier import Verifier
from agent_cockpit.engine.ports import CheckTrust, ModeClassifier, Planner, TrustAllChecks
from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.record.resume import open_past
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.engine.state import TaskState
from agent_cockpit.engine.surroundings import Discovered, Surroundings
from agent_cockpit.errors import DirtyWorkspaceError
from agent_cockpit.places import journal_dir, state_dir
from agent_cockpit.providers.catalog import open_provider
from agent_cockpit.providers.protocol import Provider
from agent_cockpit.rules.checks.check_detection import plan_checks
from agent_cockpit.rules.checks.proposals import EXCERPT_CHARS
from agent_cockpit.rules.checks.verification import is_test_path
from agent_cockpit.rules.consent.permission import ConsentPolicy
from agent_cockpit.rules.consent.policy import ConfiguredRule, RuleBook, rules_without_tool
from agent_cockpit.rules.grounding import references
from agent_cockpit.rules.modes import TaskKind
from agent_cockpit.rules.secrets import redact
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.settings_files import load_settings, user_settings_file
from agent_cockpit.text import clean
from agent_cockpit.tools.registry import Registry, all_tools
from agent_cockpit.workspace.at_home import at_home
from agent_cockpit.workspace.branch import Branch
from agent_cockpit.workspace.finding.globs import parse_glob
from agent_cockpit.workspace.finding.listing import walk
from agent_cockpit.workspace.git import dirty_paths
from agent_cockpit.workspace.project.check_files import find_checks, read_documents
from agent_cockpit.workspace.project.discovery import Sources
from agent_cockpit.workspace.project.instructions import find_instructions
from agent_cockpit.workspace.project.references import read_reference
from agent_cockpit.workspace.project.skills import find_skills, own_skills
from agent_cockpit.workspace.sandbox.choice import sandbox_for
from agent_cockpit.workspace.time_machine.snapshots import Snapshots
from agent_cockpit.workspace.time_machine.store_keeping import store_of, take_away_old
from agent_cockpit.workspace.time_machine.store_owner import say_whose, store_for
from agent_cockpit.workspace.workspace import Workspace

FILES_LOOKED_AT = 5_000
"""How far a tree is searched for tests before a goal begins."""


class Harness:
    """Settings and the concrete parts behind a sitting or a single goal.

    `provider` overrides the settings' voice. `rules` are configured permissions, and
    `notices` what the person must know about them before the first goal. With `unattended`
    nobody answers questions; `asks_edits` says that a person sits there who decides about
    edits too. `check_trust` remembers consent to a folder's own checks; the default trusts
    them, as for a run that a person started on purpose. `log` is where the journal goes
    instead of the state folder; no call may touch it. `config_dir` holds the person's own
    instructions and skills.
    Raises `WorkspaceError` when the folder cannot be worked on, `SettingsError` when the
    sandbox that the settings name does not work.
    """

    def __init__(
        self,
        *,
        config: HarnessConfig,
        provider: Provider | None = None,
        rules: tuple[ConfiguredRule, ...] = (),
        notices: tuple[str, ...] = (),
        unattended: bool = False,
        asks_edits: bool = False,
        check_trust: CheckTrust | None = None,
        log: Path | None = None,
        state: Path | None = None,
        config_dir: Path | None = None,
    ) -> None:
        self.config = config
        self.log = log
        self.sitting_id = ""
        """Whose snapshots these are: taken up again, a sitting goes on with its own."""
        self.sitting_journal: Path | None = None
        self.unattended = unattended
        self.asks_edits = asks_edits
        self.base_policy = ConsentPolicy(rules=RuleBook(rules), escalates_edits=asks_edits)
        self.notices = (*notices, *rules_without_tool(rules, (t.name for t in all_tools())))
        self._given_provider = provider
        self._state_dir = state or state_dir()
        self._config_dir = config_dir or user_settings_file().parent
        self.check_trust: CheckTrust = check_trust or TrustAllChecks()
        hidden = (self._state_dir, journal_dir(config), *((log,) if log else ()))
        self.workspace = Workspace(
            Path(config.workspace_root),
            sensitive_globs=config.sensitive_path_globs,
            readable=(own_skills(self._config_dir),),
            hidden=hidden,
            open_sandbox=sandbox_for(config, hidden=(*hidden, user_settings_file())),
        )
        self.workspace_root = str(self.workspace.root)
        self.sandbox_name = self.workspace.sandbox.name
        self._branch = Branch(self.workspace.root)

    @classmethod
    def from_env(cls, **parts: Any) -> Harness:
        """A harness on the settings files and environment of this process."""
        loaded = load_settings(
            flags={}, environ=os.environ, user_file=user_settings_file(), cwd=Path.cwd()
        )
        given = {"rules": loaded.rules, "notices": loaded.notices, **parts}
        return cls(config=loaded.config, **given)

    @cached_property
    def snapshots(self) -> Snapshots:
        """The snapshots of this sitting; their store is made when first needed."""
        if self.sitting_journal is not None:
            say_whose(self.snapshot_store, self.sitting_journal)
        return Snapshots(self.workspace.root, self.snapshot_store, own=self.workspace.hidden)

    @cached_property
    def snapshot_store(self) -> Path:
        """Where the snapshots of this sitting lie; chosen once its id is known."""
        return store_of(self._project_stores, self.sitting_id)

    def go_on_with_snapshots(self, name: str, journal: Path) -> str:
        """Choose the store of a sitting that is taken up again, by the name that its journal
        has for it if any; its name from now on. Blocks.

        Raises `SnapshotFailed` when the journal is a copy and the store cannot be copied.
        """
        self.sitting_journal = journal
        store = store_of(self._project_stores, name or self.sitting_id)
        self.snapshot_store = store_for(store, journal)
        return self.snapshot_store.name

    def branch(self) -> str:
        """The branch that the folder is on; blocks, hardly at all once it was asked for."""
        return self._branch.name()

    def keep_house(self) -> None:
        """Take away the snapshots of sittings long gone; blocks, and harms no living one."""
        take_away_old(self._snapshot_stores, now_s=time.time(), spared=self.snapshot_store)

    @property
    def _snapshot_stores(self) -> Path:
        return self._state_dir / "snapshots"

    @property
    def _project_stores(self) -> Path:
        digest = hashlib.sha256(self.workspace_root.encode(errors="surrogateescape")).hexdigest()
        return self._snapshot_stores / digest[:16]

    def open_provider(self) -> Provider:
        """The voice that the settings name; `SettingsError` says what to set."""
        return self._given_provider or open_provider(self.config)

    def open_classifier(self) -> ModeClassifier | None:
        """The router that the settings name, if any."""
        if not self.config.classifier_model:
            return None
        from agent_cockpit.engine.model.classifier import ProviderClassifier

        config = self.config.model_copy(update={"model": self.config.classifier_model})
        return ProviderClassifier(lambda: open_provider(config))

    def open_planner(self, documents: Mapping[str, str]) -> Planner | None:
        """What proposes checks from these documents, if the settings name a model for it."""
        if not self.config.planner_model:
            return None
        config = self.config.model_copy(update={"model": self.config.planner_model})
        return ProviderPlanner(lambda: open_provider(config), documents)

    def discover(self, roots: tuple[Path, ...] = ()) -> Discovered:
        """The project instructions and skills that there are now."""
        root = self.workspace.root
        sources = Sources(
            cwd=root,
            config_dir=self._config_dir,
            added=(*(root / at_home(more) for more in self.config.extra_roots), *roots),
            sensitive_globs=self.config.sensitive_path_globs,
            is_off=not self.config.discovery,
        )
        found = find_skills(sources, self.workspace)
        return Discovered(
            instructions=find_instructions(sources), skills=found.skills, broken=found.broken
        )

    def look_around(
        self, prompt: str, *, must_be_clean: bool, roots: tuple[Path, ...] = ()
    ) -> Surroundings:
        """Branch, checks, tests, referenced files, instructions and skills, as of now."""
        root = self.workspace.root
        if must_be_clean and (dirty := dirty_paths(root)):
            raise DirtyWorkspaceError(_dirt(dirty), paths=dirty[:10])
        checks = plan_checks(self.config, find_checks(root))
        wanted = self.config.planner_model and not checks
        documents = read_documents(root, chars=EXCERPT_CHARS) if wanted else {}
        return Surroundings(
            branch=self.branch() or None,
            checks=checks,
            documents=documents,
            had_tests=any(
                is_test_path(path)
                for path in islice(walk(self.workspace, parse_glob("**/*")), FILES_LOOKED_AT)
            ),
            grounded=tuple(
                (ref, read_reference(self.workspace, ref)) for ref in references(prompt)
            ),
            discovered=self.discover(roots),
        )

    def verifier(self) -> Verifier:
        """What runs checks in this workspace."""
        return Verifier(workspace=self.workspace, config=self.config)

    def toolbox(self) -> Registry:
        """All tools, made anew for a goal."""
        return Registry()

    def session(
        self,
        task: str,
        *,
        task_kind: TaskKind = "investigate",
        allow_dirty: bool = False,
        conversational: bool = False,
        journal: JsonlEventJournal | None = None,
    ) -> Session:
        """A session for one goal, not yet run; blocks while it looks around."""
        repl = ReplSession(self, auto=not conversational, journal=journal, allow_dirty=allow_dirty)
        repl.set_mode(task_kind)
        return repl.start(task)

    async def arun(
        self, task: str, *, task_kind: TaskKind = "investigate", allow_dirty: bool = False
    ) -> TaskState:
        """Run one goal to its end."""
        return await self.session(task, task_kind=task_kind, allow_dirty=allow_dirty).run()

    def run(
        self, task: str, *, task_kind: TaskKind = "investigate", allow_dirty: bool = False
    ) -> TaskState:
        """Run one goal to its end, from code without an event loop."""
        return asyncio.run(self.arun(task, task_kind=task_kind, allow_dirty=allow_dirty))


def open_sitting(harness: Harness, *, allow_dirty: bool = False, auto: bool = False) -> ReplSession:
    """A sitting that is recorded: at the harness's `log`, else in the state directory by date
    and id. Raises `SittingLocked` while another process writes that journal."""
    session_id = harness.sitting_id = uuid4().hex
    journal = _journal(harness, harness.log or _new_journal(harness.config, session_id))
    harness.sitting_journal = journal.path
    repl = ReplSession(
        harness, session_id=session_id, auto=auto, journal=journal, allow_dirty=allow_dirty
    )
    journal.lock()
    harness.branch()
    _keep_house_beside(harness)
    return repl


def resume_sitting(
    harness: Harness, path: Path, *, allow_dirty: bool = False, auto: bool = False
) -> ReplSession:
    """The sitting of a journal, taken up again where it ended; blocks while it is read.

    Raises `SittingLocked` while another process writes the journal, `WorkspaceError` when it
    holds no sitting or cannot be written.
    """
    journal = _journal(harness, path)
    past = open_past(journal)
    harness.sitting_id = past.session_id
    try:
        past = replace(past, snapshots=harness.go_on_with_snapshots(past.snapshots, journal.path))
        repl = ReplSession(harness, auto=auto, journal=journal, allow_dirty=allow_dirty, past=past)
    except BaseException:
        journal.close(release=True)
        raise
    _keep_house_beside(harness)
    return repl


def _keep_house_beside(harness: Harness) -> None:
    """In a thread that nobody waits for, and that ends with the process. The sitting's own store
    is chosen before."""
    _ = harness.snapshot_store
    threading.Thread(target=harness.keep_house, name="house-keeping", daemon=True).start()


def _journal(harness: Harness, path: Path) -> JsonlEventJournal:
    """A journal in which the key in use is blotted out like every secret."""
    known = (harness.config.api_key,) if harness.config.api_key else ()
    return JsonlEventJournal(path, redactor=partial(redact, known=known))


def _new_journal(config: HarnessConfig, session_id: str) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return journal_dir(config) / f"{stamp}-{session_id[:12]}.jsonl"


def _dirt(paths: tuple[str, ...]) -> str:
    shown = ", ".join(clean(path) for path in paths[:3])
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return (
        f"the workspace has uncommitted changes ({shown}{more}): commit or stash them, "
        "or go on with --allow-dirty"
    )
