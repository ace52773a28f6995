"""Pages of the manual, as roff with the macros of man(7)."""

import re


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("^", "\\(ha")
    text = text.replace("`", "\\(ga").replace("~", "\\(ti")
    return "\\&" + text if text.startswith(".") else text


def bold(text):
    return "\\fB" + escaped(text) + "\\fR"


def value(text):
    """A value: placeholders in italics, literal words in bold."""
    return re.sub(r"[^|:,]+", lambda part: ("\\fI%s\\fR" if part[0].isupper() or "." in part[0]
                                             else "\\fB%s\\fR") % escaped(part[0]), text)


def paragraphs(lines, between=".PP"):
    """Text; keeps intended line ends."""
    out = []
    for line in lines:
        if not line:
            out.append(between)
            continue
        if out and out[-1] != between:
            out.append(".br")
        out.append(escaped(line))
    return out


def option(one):
    if one.is_argument:
        head = "\\fI" + escaped(one.names[0]) + "\\fR"
    else:
        head = ", ".join(bold(name) for name in one.names)
    return [".TP", head + (" " + value(one.value) if one.value else ""), *paragraphs(one.lines, ".IP")]


def title(page):
    return page.name.replace(" ", "-")


def manual_page(page, others, version, date):
    """The text of one page; `others` are the pages it refers to."""
    out = [f'.TH {escaped(title(page)).upper()} 1 "{date}" "ggufgate {version}" "ggufgate"',
           ".SH NAME", f"{escaped(title(page))} \\- {escaped(page.summary)}",
           ".SH SYNOPSIS", bold(page.name) + escaped(page.synopsis[len(page.name):])]
    if page.description:
        out += [".SH DESCRIPTION", *paragraphs(page.description)]
    if page.commands:
        out.append(".SH COMMANDS")
        for command in page.commands:
            out += [".TP", bold(command.name.split()[-1]), escaped(command.summary)]
    out.append(".SH OPTIONS")
    for one in page.options:
        out += option(one)
    for name, lines in page.sections:
        out += [f".SH {name}", ".nf", *(escaped(line[4:]) for line in lines), ".fi"]
    out.append(".SH SEE ALSO")
    out += [f".BR {escaped(title(other))} (1){',' if other is not others[-1] else ''}" for other in others]
    return "\n".join(out) + "\n"
