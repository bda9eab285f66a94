"""The page of a service whose client was not built: it says so, and how to build it."""

from typing import Final

from cartagena.server.pages.built import HTML, BuiltFile, Form
from cartagena.server.pages.encodings import IDENTITY

_PAGE: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Cartagena: the pages are not built</title>
</head>
<body>
<h1>The pages are not built</h1>
<p>This service works, but its pages for browsers are missing. In a checkout, with Node.js 20 or newer:</p>
<pre>make web</pre>
<p>Then start the service again. Programs need none of this: <a href="/api/docs">what they may ask</a>.</p>
</body>
</html>
"""


def unbuilt_page() -> BuiltFile:
    """The page, as if it had been built."""
    return BuiltFile(media_type=HTML, forms={IDENTITY: Form(content=_PAGE.encode(), tag='"unbuilt"')})
