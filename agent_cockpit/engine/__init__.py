"""MAKES IT SO: a sitting of goals, each asked, run, judged and recorded."""
