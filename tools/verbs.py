"""English verbs whose past forms no rule leads back to the verb: written, held, kept."""

from __future__ import annotations

import re

_FORMS = """
bend bent · begin began begun · blow blown · break broke broken · bring brought · build built
buy bought · catch caught · choose chose chosen · come came · deal dealt
draw drew drawn · drink drank drunk · drive drove driven · eat ate eaten · feed fed · fight fought
find found · forbid forbade forbidden · forget forgot forgotten
go gone · grow grew grown · hear heard · hide hid hidden · hold held · keep kept
know knew known · lead led · lend lent · lose lost · mean meant · meet met · pay paid
ride rode ridden · run ran · sell sold · send sent · shake shook shaken
sing sang sung · sit sat · sleep slept · speak spoke spoken · spend spent
steal stole stolen · swim swam swum · teach taught · think thought
throw threw thrown · understand understood · wear wore worn · win won · write wrote written
"""
_VERBS = {
    form: forms[0] for forms in map(str.split, re.split(r"[·\n]", _FORMS)) for form in forms[1:]
}
_FORM = re.compile(rf"\b(?:{'|'.join(_VERBS)})\b", re.IGNORECASE)


def as_verbs(text: str) -> str:
    """``text`` with each of these forms as its verb. Forms that are another word as well (left,
    saw, rose) and those of verbs that say nothing (taken, given) are left alone."""
    return _FORM.sub(lambda match: _VERBS[match[0].lower()], text)
