"""PDF and DOCX files made for a test."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

KOREAN_FONT = """<< /Type /Font /Subtype /Type0 /BaseFont /HYGoThic-Medium
/Encoding /UniKS-UCS2-H /DescendantFonts [4 0 R] >>"""
DESCENDANT = """<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HYGoThic-Medium
/CIDSystemInfo << /Registry (Adobe) /Ordering (Korea1) /Supplement 1 >> /FontDescriptor 5 0 R >>"""
DESCRIPTOR = """<< /Type /FontDescriptor /FontName /HYGoThic-Medium /Flags 4
/FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>"""


def pdf(*pages: Sequence[str], title: str = "", outline: Sequence[tuple[str, int]] = ()) -> bytes:
    """A PDF of these lines on these pages. ``outline``: (heading, index of its page). The font is
    not in the file, as in many Korean documents: its encoding is all that tells the letters."""
    objects: list[str] = ["", "", KOREAN_FONT, DESCENDANT, DESCRIPTOR]

    def add(written: str) -> int:
        objects.append(written)
        return len(objects)

    kids: list[int] = []
    for lines in pages:
        shown = " ".join(f"<{line.encode('utf-16-be').hex()}> Tj T*" for line in lines)
        stream = f"BT /F1 12 Tf 50 750 Td 20 TL {shown} ET"
        content = add(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
        kids.append(
            add(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] "
                f"/Contents {content} 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
            )
        )
    first = len(objects) + 2
    entries = [
        f"<< /Title {_text(heading)} /Parent {first - 1} 0 R /Dest [{kids[page]} 0 R /Fit] "
        + (f"/Next {first + n + 1} 0 R " if n + 1 < len(outline) else "")
        + (f"/Prev {first + n - 1} 0 R " if n else "")
        + ">>"
        for n, (heading, page) in enumerate(outline)
    ]
    last = first + len(outline) - 1
    outlines = add(
        f"<< /Type /Outlines /Count {len(outline)} /First {first} 0 R /Last {last} 0 R >>"
    )
    for entry in entries:
        add(entry)
    information = add(f"<< /Title {_text(title)} >>")
    contents = f"/Outlines {outlines} 0 R " if outline else ""
    objects[0] = f"<< /Type /Catalog /Pages 2 0 R {contents}>>"
    references = " ".join(f"{kid} 0 R" for kid in kids)
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{references}] >>"
    return _written(objects, information)


def _text(value: str) -> str:
    return f"<feff{value.encode('utf-16-be').hex()}>"


def _written(objects: Sequence[str], information: int) -> bytes:
    out = b"%PDF-1.5\n"
    places: list[int] = []
    for number, written in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{written}\nendobj\n".encode()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    trailer = f"<< /Size {len(objects) + 1} /Root 1 0 R /Info {information} 0 R >>"
    return out + f"trailer {trailer}\nstartxref\n{out.index(b'xref')}\n%%EOF".encode()


def docx(*blocks: str | tuple[int, str] | list[list[str]], title: str = "") -> bytes:
    """A DOCX of paragraphs, (level, heading)s and tables (rows of cells)."""
    import docx as library

    document: Any = library.Document()
    document.core_properties.title = title
    for block in blocks:
        if isinstance(block, tuple):
            document.add_heading(block[1], block[0])
        elif isinstance(block, list):
            table = document.add_table(len(block), len(block[0]))
            for row, cells in enumerate(block):
                for column, cell in enumerate(cells):
                    table.cell(row, column).text = cell
        else:
            document.add_paragraph(block)
    written = BytesIO()
    document.save(written)
    return written.getvalue()


def folder(root: Path, files: dict[str, str | bytes]) -> Path:
    """A folder with these files in it."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root
