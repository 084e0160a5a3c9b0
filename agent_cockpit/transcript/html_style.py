"""How an exported sitting looks: one narrow column, calm machinery, light or dark as the reader
has it. Every pair of colours has a contrast of at least 4.5."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light dark; --page: #fbfbfd; --text: #1d1e24; --quiet: #5c6070;
  --line: #d9dbe4; --accent: #5b3fc4; --good: #17693a; --bad: #b3261e; --wait: #8a5300;
  --add: #e3f4e8; --del: #fbe6e4; --code: #f1f2f7; }
@media (prefers-color-scheme: dark) { :root { --page: #15161c; --text: #e4e5ec; --quiet: #a0a4b4;
  --line: #343745; --accent: #b9a5ff; --good: #7fd39a; --bad: #ff9a91; --wait: #f0b866;
  --add: #1b3426; --del: #41222a; --code: #1f212b; } }
body { background: var(--page); color: var(--text); margin: 0;
  font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 54rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.4rem; } section, details, p.alone, p.notice { margin: 0.6rem 0; }
pre, code { font: 0.875em/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; } a { color: var(--accent); }
pre { background: var(--code); padding: 0.6rem 0.8rem; border-radius: 6px; overflow-x: auto; }
pre { color: var(--text); } p.alone { padding-left: 1.05rem; }
pre code { overflow-wrap: normal; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: left; }
.prompt { border-left: 4px solid var(--accent); padding: 0.1rem 1rem; margin-top: 2.2rem;
  font-weight: 600; } .prompt p { margin: 0.2rem 0; }
.prompt time { float: right; color: var(--quiet); font-weight: 400; font-size: 0.85em; }
.thought, .call, .notice, .result { color: var(--quiet); } .call b { color: var(--text); }
summary { cursor: pointer; } .result { float: right; margin-left: 1rem; font-size: 0.875em; }
.failed > summary, .denied > summary, .refused > summary, .interrupted > summary,
  p.failed, .verdict.failed > p, .notice.error { color: var(--bad); }
.verdict, .plan, .question { border: 1px solid var(--line); border-radius: 6px;
  padding: 0.3rem 1rem; } .verdict p, .plan p { margin: 0.3rem 0; }
.verdict.passed > p { color: var(--good); }
.verdict.cut > p, .notice.warning, .question { color: var(--wait); }
.verdict ul, .steps { list-style: none; padding-left: 1rem; margin: 0.2rem 0; }
.verdict ul:empty, .steps:empty { display: none; }
.diff { padding: 0.4rem 0; } .diff span { display: block; padding: 0 0.8rem; }
.diff .add { background: var(--add); } .diff .del { background: var(--del); }
.diff .hunk, .diff i { color: var(--quiet); font-style: normal; user-select: none; }
@media print { details { break-inside: avoid; } }
"""
