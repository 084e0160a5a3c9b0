"""Programs by what they do: names and sub-commands only, no logic.

Law: a name belongs to the worst table that fits it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from agent_cockpit.rules.shell.judgement import names


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A program with sub-commands; `opaque` ones are never granted, `nested` take one more
    word into the prefix; `known` None: other sub-commands are the project's own."""

    flags: frozenset[str] = frozenset()
    destroying: frozenset[str] = frozenset()
    sending: frozenset[str] = frozenset()
    fetching: frozenset[str] = frozenset()
    opaque: frozenset[str] = frozenset()
    nested: frozenset[str] = frozenset()
    reading: frozenset[str] = frozenset()
    known: frozenset[str] | None = None


def _each(areas: str, verbs: str) -> frozenset[str]:
    return frozenset(f"{area} {verb}" for area in names(areas) for verb in names(verbs))


VERSIONED = names(
    """
        python python3 pip pip3 node npm pnpm yarn bun deno cargo rustc go ruby java javac gcc
        g++ clang make cmake docker kubectl uv poetry ruff mypy pytest tsc eslint terraform gh
    """
)
DESTROYERS = {
    **dict.fromkeys(names("rm unlink shred srm trash rimraf del erase"), "deletes files"),
    **dict.fromkeys(names("rmdir rd"), "deletes folders"),
    **dict.fromkeys(
        names("dd fdisk sfdisk parted wipefs mkswap losetup cryptsetup lvremove format diskutil"),
        "overwrites a disk or a file",
    ),
    "truncate": "cuts files",
    **dict.fromkeys(names("kill pkill killall skill xkill fuser"), "stops running programs"),
    **dict.fromkeys(
        names("reboot shutdown halt poweroff init telinit systemctl service launchctl rc-service"),
        "changes what this machine runs",
    ),
    **dict.fromkeys(
        names(
            """
                crontab mount umount iptables nft ufw useradd usermod userdel groupadd passwd
                chpasswd visudo chattr setfacl setcap sysctl modprobe insmod rmmod swapoff
                swapon hostnamectl dropdb dropuser regedit reg netsh update-alternatives
            """
        ),
        "changes this machine itself",
    ),
}
SENDERS = {
    **dict.fromkeys(
        names("ssh scp sftp ftp lftp telnet rsh rlogin mosh sshfs ssh-copy-id autossh"),
        "acts on another machine",
    ),
    **dict.fromkeys(
        names("nc ncat netcat socat openssl ngrok cloudflared tor"), "opens a connection"
    ),
    **dict.fromkeys(names("mail mailx sendmail mutt msmtp swaks"), "sends mail"),
    **dict.fromkeys(
        names(
            """
                twine flit s3cmd s5cmd rclone aws gcloud gsutil az doctl flyctl fly heroku
                vercel netlify firebase wrangler ansible ansible-playbook pulumi eksctl skopeo
                crane semantic-release lerna changeset goreleaser hub glab surge now serverless
                sls cdk eas fastlane
            """
        ),
        "publishes, or acts on another machine",
    ),
}
WRITERS = {
    "mkdir": "makes folders",
    "touch": "makes files, or changes their times",
    "cp": "copies files",
    "mv": "moves or overwrites files",
    "ln": "makes links",
    "tee": "writes files",
    "install": "copies files",
    "chmod": "changes the rights of files",
    "chown": "changes the owner of files",
    "chgrp": "changes the owner of files",
    "make": "runs make",
}
INTERPRETERS = (
    r"python[\d.]*|pypy\d*|node|nodejs|deno|tsx|ts-node|perl[\d.]*|ruby[\d.]*|php[\d.]*"
    r"|lua[\d.]*|luajit|rscript|julia|tclsh|wish|osascript|groovy|ghci|runghc|irb|elixir|swift"
)
OPEN_MODULES = names(
    """
        http.server smtpd pdb cProfile profile trace runpy code venv ensurepip timeit compileall
        idlelib pydoc webbrowser this ast dis doctest
    """
)
SHELL_WORDS = names(
    """
        source . alias unalias set shopt enable hash read mapfile readarray bind complete
        compgen fc history ulimit umask pushd popd dirs cd let getopts disown bg fg suspend
        logout exit return break continue wait shift times jobs export declare typeset local
        readonly unset
    """
)
OPEN_ENDED = names(
    """
        tar patch zip unzip 7z gzip bzip2 xz cpio ar ed ex vi vim nvim nano emacs pico less more man
        info psql mysql mariadb sqlite3 mongo mongosh redis-cli duckdb tcpdump nmap open
        xdg-open start gpg gpg2 awk busybox loginctl dbus-send gdbus printenv ps top htop lsof
        docker-machine ag ack yq xmllint convert magick ffmpeg pandoc latex pdflatex jupyter
        ipython bc dc m4 cpp gcc g++ cc clang ld split csplit dialog whiptail ctags etags cscope
        minicom picocom
    """
)


_JS = Family(
    sending=names(
        """
            publish unpublish deprecate owner access token adduser login logout add-user
            dist-tag dist-tags team hook profile org star unstar stage
        """
    ),
    fetching=names(
        """
            install i ci add in it update upgrade up view info show search outdated audit fund
            install-test cit link dedupe rebuild import
        """
    ),
    opaque=names("create init exec x dlx config set set-script explore edit node env patch"),
    nested=names("run run-script workspace"),
    flags=names("--silent -s"),
)
_CONTAINER = Family(
    nested=names("compose"),
    destroying=_each("compose", "down rm kill stop restart pause")
    | names(
        """
            rm rmi kill stop restart pause prune down system volume network swarm update rename
            container image builder buildx context plugin secret config stack service node
        """
    ),
    sending=names("push login logout"),
    fetching=names("pull search"),
    opaque=names("run exec cp commit import load save export attach"),
)
FAMILIES: dict[str, Family] = {
    "npm": replace(
        _JS,
        known=names(
            """
                run run-script test t tst start stop restart uninstall un rm remove ls list pack
                version prune
            """
        ),
    ),
    "pnpm": _JS,
    "yarn": _JS,
    "bun": _JS,
    "cargo": Family(
        sending=names("publish yank owner login logout"),
        fetching=names("install add update fetch search vendor"),
        known=names(
            """
                build b check c test t run r bench doc d clean fmt clippy tree metadata new init
                remove rm fix nextest expand llvm-cov
            """
        ),
    ),
    "go": Family(
        fetching=names("get install mod work"),
        opaque=names("generate env tool run"),
        known=names("build test vet fmt list doc version clean"),
        reading=names("version"),
    ),
    "pip": Family(
        fetching=names("install download wheel index search"),
        opaque=names("config cache"),
        reading=names("list freeze check show"),
        known=names("uninstall inspect hash debug"),
    ),
    "uv": Family(
        sending=names("publish auth"),
        fetching=names("add sync lock remove self python venv build tree export"),
        nested=names("pip"),
        known=names("pip init version cache"),
    ),
    "poetry": Family(
        sending=names("publish"),
        opaque=names("config self env shell"),
        fetching=names("install add update lock remove sync search"),
        known=names("build check show version init new"),
    ),
    "hatch": Family(sending=names("publish"), opaque=names("shell env config self python")),
    "pdm": Family(sending=names("publish"), fetching=names("install add update lock sync")),
    "gem": Family(sending=names("push yank owner signin"), fetching=names("install update fetch")),
    "bundle": Family(fetching=names("install update add"), opaque=names("config open console")),
    "docker": _CONTAINER,
    "podman": _CONTAINER,
    "docker-compose": _CONTAINER,
    "kubectl": Family(
        known=names("get describe logs explain version top api-resources diff"),
        sending=names(
            """
                apply create delete edit patch replace scale rollout exec cp run expose set
                label annotate drain cordon uncordon taint port-forward proxy attach debug
                config autoscale
            """
        ),
    ),
    "helm": Family(
        sending=names("install upgrade uninstall delete rollback push registry"),
        fetching=names("pull repo dependency search"),
        known=names("template lint list status show version"),
    ),
    "terraform": Family(
        sending=names(
            "apply destroy import taint untaint state login logout workspace force-unlock"
        ),
        fetching=names("init get providers"),
        known=names("plan validate fmt show output version graph"),
    ),
    "gh": Family(
        sending=names(
            """
                api auth gist release secret variable ssh-key gpg-key extension alias codespace
                workflow cache label config
            """
        ),
        nested=names("pr issue repo run"),
        opaque=names("browse"),
        fetching=_each("pr issue repo run", "view list status diff checks watch"),
        destroying=_each(
            "pr issue repo run",
            """create edit close merge delete comment review reopen rename sync archive fork
            transfer lock unlock ready cancel rerun download set-default""",
        ),
        known=names("status search"),
    ),
    "apt": Family(sending=frozenset(), opaque=names("install remove purge update upgrade")),
    "apt-get": Family(opaque=names("install remove purge update upgrade dist-upgrade")),
    "brew": Family(opaque=names("services"), fetching=names("install upgrade update tap")),
    "conda": Family(fetching=names("install create update search"), opaque=names("config init")),
    "composer": Family(fetching=names("install update require"), opaque=names("exec config")),
    "dotnet": Family(sending=names("nuget"), fetching=names("restore add tool")),
    "mvn": Family(sending=names("deploy release:perform"), flags=names("-q -B")),
    "gradle": Family(sending=names("publish uploadArchives"), flags=names("-q --quiet")),
    "gradlew": Family(sending=names("publish uploadArchives"), flags=names("-q --quiet")),
}
