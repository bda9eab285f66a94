"""Pictures of tables, in the drawing of the browser client."""

from cartagena.drawing.notebooks import show_pictures
from cartagena.drawing.picture import svg

__all__ = ["show_pictures", "svg"]
