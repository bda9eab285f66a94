"""The page of a service whose pages were not built: it says so, and how to build them."""

from typing import Final

from cartagena.install import NODE, pages_command
from cartagena.server.pages.built import HTML, BuiltFile, Form
from cartagena.server.pages.encodings import IDENTITY

# It does not say where this service was installed from: strangers need not know.
_PAGE: Final = f"""\
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
<p>This service works, but its pages for browsers are missing. To build them from a
checkout, with Node.js {NODE} or newer:</p>
<pre>{pages_command()}</pre>
<p>Then start the service again. Programs need none of this: <a href="/api/docs">what they may ask</a>.</p>
</body>
</html>
"""


def unbuilt_page() -> BuiltFile:
    """The page, as if it had been built."""
    return BuiltFile(media_type=HTML, forms={IDENTITY: Form(content=_PAGE.encode(), tag='"unbuilt"')})
