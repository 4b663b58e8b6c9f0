"""What the demo's pictures show, as SVG in a square of 100 by 100: drawn here by hand, of no foreign material."""


def path(d: str, fill: str, more: str = "") -> str:
    return f'<path d="{d}" fill="{fill}" {more}/>'


def line(d: str, color: str, width: float = 3) -> str:
    return (f'<path d="{d}" fill="none" stroke="{color}" stroke-width="{width}" stroke-linecap="round" '
            'stroke-linejoin="round"/>')


def circle(x: float, y: float, r: float, fill: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}"/>'


def oval(x: float, y: float, rx: float, ry: float, fill: str) -> str:
    return f'<ellipse cx="{x}" cy="{y}" rx="{rx}" ry="{ry}" fill="{fill}"/>'


def box(x: float, y: float, width: float, height: float, fill: str, r: float = 0) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{r}" fill="{fill}"/>'


def words(text: str, x: float, y: float, size: float, fill: str, anchor: str = "start", weight: int = 700) -> str:
    return (f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" font-weight="{weight}" '
            f'font-family="Noto Sans CJK SC, DejaVu Sans, sans-serif">{text}</text>')


STEAM = line("M40 22q-5-6 0-12t0-8M52 22q-5-6 0-12t0-8M64 22q-5-6 0-12t0-8", "#ffffffaa")
LEAF = path("M50 50q-26-4-28-30q26 2 28 30M50 50q4-26 30-28q-2 26-30 28", "#5c9a4b")

GOODS: dict[str, str] = {
    "teapot": path("M22 48h54q0 34-27 34t-27-34", "#2f7d6d")
    + path("M76 56q16-8 16 8t-18 8l2-6q9-1 9-5t-9 0", "#2f7d6d")
    + path("M24 56L8 44l4-6l16 12", "#2f7d6d") + oval(49, 48, 27, 6, "#3c9683") + circle(49, 39, 4, "#e8c15a")
    + oval(49, 45, 16, 4, "#2a6b5e") + path("M34 60q15 10 30 0", "#ffffff22"),
    "cup": STEAM + path("M24 32h50q0 44-25 44t-25-44", "#f6efe2") + oval(49, 32, 25, 6, "#8b5a34")
    + line("M74 40q16-2 14 10t-20 12", "#f6efe2", 6) + oval(49, 84, 32, 5, "#d9cdb8")
    + line("M32 56q17 10 34 0", "#4a7fb5"),
    "leaf": LEAF + line("M50 50v34", "#7a5a32", 4),
    "coffee": path("M28 20h44l6 66q-28 8-56 0z", "#6b4226") + path("M28 20h44l-3-8h-38z", "#8b5a34")
    + oval(50, 56, 18, 18, "#f3e3cb") + path("M42 48q16-2 14 16q-18 2-14-16", "#6b4226")
    + line("M45 50q2 8 8 12", "#f3e3cb", 2),
    "bowl": STEAM + path("M12 46h76q-2 40-38 40t-38-40", "#c8402f") + oval(50, 46, 38, 9, "#f7e7c4")
    + oval(50, 46, 30, 6, "#fff8ea") + line("M18 58q32 14 64 0", "#f0c36d"),
    "noodles": STEAM + path("M12 46h76q-2 40-38 40t-38-40", "#2d6ea3") + oval(50, 46, 38, 9, "#e7b55a")
    + line("M24 46q6-6 12 0t12 0t12 0t12 0M30 50q6-6 12 0t12 0t12 0", "#fff1c9")
    + circle(62, 43, 6, "#fff") + circle(62, 43, 3, "#f2a93b") + line("M70 38L92 8M76 40L96 14", "#8b5a34"),
    "fish": path("M8 50q32-36 64 0l20-18v36L72 50q-32 36-64 0", "#4f9bc4") + circle(24, 46, 3.5, "#123")
    + line("M40 36q8 14 0 28M52 36q8 14 0 28", "#cfe6f3"),
    "vase": path("M40 12h20v12q22 16 14 40q-4 18-8 24h-32q-4-6-8-24q-8-24 14-40z", "#f4f7fb")
    + line("M30 52q20 14 40 0M34 70q16 10 32 0M38 30q12 6 24 0", "#2b5fa8", 4) + circle(50, 54, 7, "#2b5fa8")
    + circle(50, 54, 3, "#f4f7fb"),
    "mango": path("M26 58q-4-36 34-40q34 8 26 38q-10 30-40 26q-18-4-20-24", "#f4a938")
    + path("M60 18q26 8 24 34q-6-24-24-34", "#e5662d") + path("M58 18q6-14 20-12q-4 14-20 12", "#5c9a4b"),
    "melon": path("M10 40a42 42 0 0 0 80 0z", "#3f8a4a") + path("M17 42a36 36 0 0 0 66 0z", "#f3f6e4")
    + path("M21 42a32 32 0 0 0 58 0z", "#e2484f") + "".join(circle(x, y, 2.4, "#2b1a17")
    for x, y in ((36, 50), (50, 56), (64, 50), (46, 66), (56, 66))),
    "nuts": "".join(path(f"M{x} {y}q14-16 26 0q2 22-13 30q-15-8-13-30", "#b0743b")
    + path(f"M{x - 2} {y + 2}q15-20 30 0z", "#7a4a22")
                    for x, y in ((12, 34), (58, 30), (36, 50))),
    "phone": box(30, 8, 40, 84, "#20242c", 8) + box(34, 16, 32, 64, "#7fb4ff", 3) + circle(50, 86, 3, "#596070")
    + box(38, 22, 24, 14, "#ffffff", 3) + box(38, 40, 11, 11, "#ffd36e", 3) + box(51, 40, 11, 11, "#ff8f7a", 3),
    "camera": box(10, 30, 80, 52, "#3b3f4a", 8) + box(34, 20, 30, 14, "#3b3f4a", 4) + circle(50, 56, 20, "#c9d3df")
    + circle(50, 56, 14, "#28527a") + circle(45, 51, 4, "#ffffffaa") + circle(80, 40, 3, "#ff6b5e"),
    "shoe": path("M10 62q10-6 14-30q10 10 20 6q6 22 36 22q12 2 10 16h-80z", "#e2574c")
    + box(10, 72, 80, 9, "#f6f1ea", 4)
    + line("M40 44l8-4M46 50l8-4M53 55l7-5", "#fff"),
    "handbag": path("M16 42h68l6 44h-80z", "#b5543f") + line("M34 44q0-28 16-28t16 28", "#8d3f2e", 5)
    + box(42, 52, 16, 10, "#f0c36d", 3) + path("M16 42h68l1.600 12h-71.200z", "#c9654e"),
    "washer": box(18, 10, 64, 80, "#eef2f6", 6) + circle(50, 56, 24, "#aebccb") + circle(50, 56, 18, "#5a8fc0")
    + path("M32 58q9-8 18 0t18 0q-2 16-18 16t-18-16", "#cfe6f3") + circle(28, 20, 4, "#aebccb")
    + box(54, 17, 20, 6, "#aebccb", 3),
    "bottle": path("M36 34h28q8 8 8 20v32q0 6-6 6h-32q-6 0-6-6v-32q0-12 8-20", "#e9f4fb")
    + box(36, 24, 28, 12, "#f2a0a8", 3)
    + path("M42 24q8-24 16 0", "#f5c9a8") + path("M28 62h44v24q0 6-6 6h-32q-6 0-6-6z", "#fff6e4")
    + line("M58 50h8M58 60h8M58 70h8", "#9bb4c4", 2),
    "gift": box(16, 42, 68, 46, "#d8433b", 4) + box(12, 30, 76, 16, "#e8574d", 4) + box(44, 30, 12, 58, "#f6d069")
    + path("M50 30q-26-2-22-16q14-6 22 16q8-22 22-16q4 14-22 16", "#f6d069"),
    "ticket": path("M8 30h84v14a7 7 0 0 0 0 14v14h-84v-14a7 7 0 0 0 0-14z", "#ff8a3d")
    + line("M62 34v34", "#fff", 2.5) + words("¥20", 35, 60, 24, "#fff", "middle") + circle(76, 51, 7, "#ffe3c8"),
    "lantern": line("M50 4v14", "#7a3a1a") + oval(50, 48, 34, 28, "#d9342b") + oval(50, 48, 18, 28, "#ef5a45")
    + box(38, 16, 24, 8, "#e8b44c", 2) + box(38, 72, 24, 8, "#e8b44c", 2)
    + line("M44 80v14M50 80v16M56 80v14", "#e8b44c", 2.5),
    "umbrella": path("M6 52a44 40 0 0 1 88 0q-8-8-15 0q-7-8-15 0q-7-8-14 0q-7-8-15 0q-7-8-14 0q-8-8-15 0", "#d9653b")
    + path("M36 52q2-30 14-40q12 10 14 40q-7-8-14 0q-7-8-14 0", "#f0b35c") + line("M50 52v36q0 8-9 6", "#6b4226", 4),
    "basket": path("M14 44h72l-8 44h-56z", "#c99a55") + line("M20 44q30-64 60 0", "#a5793a", 5)
    + line("M17 58h66M19 72h62M32 44l4 44M50 44v44M68 44l-4 44", "#a5793a", 2.5),
    "book": path("M12 22q22-8 38 4v60q-16-10-38-4z", "#3c7fb1") + path("M88 22q-22-8-38 4v60q16-10 38-4z", "#e9dcc0")
    + line("M58 38q12-5 22-3M58 50q12-5 22-3M58 62q12-5 22-3", "#a39576", 2.5),
    "card": box(8, 26, 84, 54, "#2b4a8b", 7) + box(8, 38, 84, 10, "#172a55") + box(18, 58, 18, 12, "#e8c15a", 2)
    + line("M44 66h38", "#9bb4e6"),
    "flowers": "".join(circle(x + dx, y + dy, 8, color) for x, y, color in ((34, 34, "#f28bb0"), (62, 28,
        "#f7b955"), (50, 50, "#e2574c"))
                       for dx, dy in ((-7, 0), (7, 0), (0, -7), (0, 7))) + circle(34, 34, 5, "#fff3c4")
    + circle(62, 28, 5, "#fff")
    + circle(50, 50, 5, "#ffe08a") + path("M30 58h40l-10 34h-20z", "#8fb9a8"),
    "plane": path("M6 54l82-36q8 0 4 8L58 86l-10-26z", "#f2f6fa") + path("M48 60l44-34l-34 60z", "#b9cadb")
    + path("M6 54l42 6l-2 18z", "#d7e1ea"),
    "truck": box(6, 32, 54, 38, "#f08a3c", 4) + path("M60 42h20l14 16v12h-34z", "#ffb36b")
    + path("M66 48h12l8 10h-20z", "#dff0ff")
    + circle(26, 74, 9, "#333a45") + circle(76, 74, 9, "#333a45") + circle(26, 74, 4, "#aab")
    + circle(76, 74, 4, "#aab"),
    "broom": line("M70 10L46 54", "#a5793a", 6) + path("M30 50l34 18l-14 26q-26-2-36-24z", "#f0b35c")
    + line("M34 84l10-20M44 90l8-20M26 76l10-16", "#c9853b", 2),
    "wrench": path("M22 84L58 46q-6-20 14-30l-4 16l12 8l12-10q2 26-22 28L34 94q-12 2-12-10", "#8a97a8")
    + circle(30, 86, 4, "#eef2f6"),
    "shirt": path("M32 14q18 12 36 0l24 14l-10 20l-12-4v44h-40v-44l-12 4l-10-20z", "#5a8fc0")
    + line("M40 18q10 8 20 0", "#fff"),
    "paw": oval(50, 66, 24, 20, "#b0743b") + circle(22, 46, 10, "#b0743b") + circle(40, 30, 10, "#b0743b")
    + circle(62, 30, 10, "#b0743b") + circle(80, 46, 10, "#b0743b"),
    "scissors": line("M28 12L64 70M72 12L36 70", "#8a97a8", 6) + circle(28, 80, 10, "#e2574c")
    + circle(72, 80, 10, "#e2574c")
    + circle(28, 80, 5, "#fff") + circle(72, 80, 5, "#fff") + circle(50, 46, 3, "#fff"),
    "car": path("M8 62q0-12 14-14l12-18h32l16 18q10 2 10 14v10h-84z", "#3f8fd0")
    + path("M38 36h10v12h-18zM54 36h10l8 12h-18z", "#dff0ff")
    + circle(28, 72, 9, "#333a45") + circle(72, 72, 9, "#333a45"),
    "pencil": path("M16 84l6-22L70 14l16 16L38 78z", "#f2b53c") + path("M16 84l6-22l16 16z", "#f7dcb8")
    + path("M62 22l16 16l8-8l-16-16z", "#e2574c"),
    "stones": oval(50, 76, 38, 12, "#59636e") + oval(52, 56, 28, 10, "#77838f") + oval(50, 40, 18, 8, "#98a3ad")
    + path("M50 32q0-18 18-22q0 18-18 22", "#5c9a4b"),
    "printer": box(26, 10, 48, 26, "#fff", 2) + box(10, 34, 80, 36, "#59636e", 6)
    + box(26, 58, 48, 32, "#f3f6fa", 2) + line("M34 68h32M34 78h24", "#9aa7b5", 2.5)
    + circle(78, 44, 3, "#7fe0a3"),
    "portrait": box(18, 10, 64, 80, "#dfe9f5", 4) + circle(50, 42, 14, "#f0c9a4")
    + path("M24 86q4-26 26-26t26 26z", "#3c5f96") + path("M36 40q0-18 14-18t14 18q-14-10-28 0", "#3a2a22"),
    "coin": circle(50, 50, 38, "#e8b44c") + circle(50, 50, 30, "#f6d069")
    + words("¥", 50, 65, 42, "#a8741a", "middle"),
    "wallet": box(10, 28, 80, 56, "#7a4a2c", 8) + path("M16 28l54-16q6 0 6 6v10z", "#9c6440")
    + box(62, 48, 30, 18, "#c98a5a", 6) + circle(72, 57, 4, "#f6d069"),
    "bolt": path("M58 6L20 56h24l-8 38l42-54h-26z", "#f7c23c"),
    "arrows": line("M14 36h62l-16-16M86 64h-62l16 16", "#3f8fd0", 8),
    "bills": box(20, 8, 60, 84, "#fff", 5) + line("M32 26h36M32 42h36M32 58h24", "#8fa6bd", 4)
    + circle(66, 74, 9, "#5cb585"),
    "crown": path("M12 78l-6-48l24 20l20-34l20 34l24-20l-6 48z", "#f2b53c") + box(12, 78, 76, 10, "#d9932b", 3),
    "heart": path("M50 86Q6 56 12 32q14-24 38 2q24-26 38-2q6 24-38 54", "#e2574c"),
    "grid": "".join(box(x, y, 32, 32, color, 8) for x, y, color in ((14, 14, "#f08a3c"), (54, 14, "#3f8fd0"), (14,
        54, "#5cb585"), (54, 54, "#b06ad0"))),
    "scan": line("M12 32v-20h20M68 12h20v20M88 68v20h-20M32 88h-20v-20", "#2b4a8b", 7)
    + line("M18 50h64", "#e2574c", 6),
    "film": box(10, 22, 80, 58, "#3b3f4a", 5) + box(24, 32, 52, 38, "#ffcf70", 2)
    + path("M44 40l18 11l-18 11z", "#3b3f4a")
    + "".join(box(13, y, 7, 7, "#fff", 1) + box(80, y, 7, 7, "#fff", 1) for y in (28, 40, 52, 66)),
    "shield": path("M50 8l36 12q2 52-36 72q-38-20-36-72z", "#3f8f6d") + line("M34 50l12 12l22-24", "#fff", 7),
    "cross": box(14, 14, 72, 72, "#5cb585", 18) + box(42, 28, 16, 44, "#fff", 3) + box(28, 42, 44, 16, "#fff", 3),
    "bear": circle(26, 26, 14, "#a5713d") + circle(74, 26, 14, "#a5713d") + circle(50, 54, 36, "#bf8850")
    + oval(50, 66, 16, 13, "#f0d6b4")
    + circle(36, 48, 4, "#2b1a17") + circle(64, 48, 4, "#2b1a17") + oval(50, 60, 5, 4, "#2b1a17"),
    "ball": circle(50, 50, 38, "#f08a3c") + line("M50 12v76M12 50h76M24 22q22 28 0 56M76 22q-22 28 0 56", "#7a3a1a"),
    "clock": circle(50, 50, 38, "#e2574c") + circle(50, 50, 30, "#fff") + line("M50 30v20l14 10", "#333a45", 5),
    "people": circle(34, 36, 13, "#f0c9a4") + circle(66, 36, 13, "#e0b088")
    + path("M10 82q2-30 24-30t24 30z", "#3f8fd0") + path("M44 82q2-30 22-30t24 30z", "#f08a3c"),
    "globe": circle(50, 50, 38, "#3f8fd0")
    + path("M30 24q16-6 22 6q-4 12-18 10q-12 2-14-4zM54 52q18-8 26 4q-6 20-22 24q-10-12-4-28", "#6cc08b"),
    "tag": path("M10 46l38-36h38v38L48 88q-4 4-8 0L10 54q-4-4 0-8", "#e2574c") + circle(72, 26, 7, "#fff")
    + words("%", 44, 64, 30, "#fff", "middle"),
    "recycle": line("M30 40q20-34 44-6M78 18l-2 18l-18-2M70 62q-20 34-44 6M22 84l2-18l18 2", "#5cb585", 8),
    "wheat": line("M50 94V30", "#b98a2f", 4) + "".join(oval(50
    + side * 11, y, 9, 6, "#e8b44c") for y in (30, 44, 58) for side in (-1, 1)) + oval(50, 18, 6, 10, "#e8b44c"),
    "star": path("M50 6l13 28l31 4l-23 21l6 31l-27-15l-27 15l6-31l-23-21l31-4z", "#f7c23c"),
    "wheel": circle(50, 50, 40, "#f08a3c") + "".join(path(f"M50 50L{x} {y}A36 36 0 0 1 {u} {v}z", color) for x, y,
        u, v, color in (
        (50, 14, 81, 32, "#fff3d6"), (81, 68, 50, 86, "#fff3d6"), (19, 68, 19, 32, "#fff3d6")))
    + circle(50, 50, 8, "#c8402f") + path("M50 2l8 14h-16z", "#c8402f"),
    "horn": path("M12 42h16l44-26v68L28 60h-16z", "#e8862f") + line("M82 36q10 14 0 28", "#e8862f", 5)
    + path("M28 60h14l6 26h-14z", "#b9601c"),
    "jade": circle(50, 50, 36, "#4fae7f") + circle(50, 50, 14, "#dff3e6")
    + path("M22 34q12-20 36-18q-26 4-36 18", "#ffffff66"),
    "chef": path("M22 96q2-28 28-28t28 28z", "#fff") + circle(50, 50, 20, "#f0c9a4")
    + path("M28 40q-12-22 10-26q12-12 24 0q22 4 10 26z", "#fff")
    + box(30, 36, 40, 7, "#e6e9ee") + circle(43, 52, 2.5, "#333") + circle(57, 52, 2.5, "#333")
    + line("M43 60q7 6 14 0", "#333", 2.5),
    "seller": path("M20 98q2-32 30-32t30 32z", "#4fae7f") + path("M26 60q-4-44 24-44t24 44z", "#2c1f1b")
    + circle(50, 48, 19, "#f3cfae")
    + path("M30 44q8-18 28-16q14 4 12 18q-8-10-20-10q-12 0-20 8", "#2c1f1b") + circle(43, 50, 2.5, "#333")
    + circle(57, 50, 2.5, "#333") + line("M43 58q7 5 14 0", "#b0513f", 2.5)
    + circle(50, 80, 6, "#dff3e6"),
    "pin": path("M50 94Q18 58 18 38a32 32 0 0 1 64 0q0 20-32 56", "#a63c17") + circle(50, 38, 12, "#fff"),
    "lens": circle(42, 42, 26, "none") + line("M62 62L86 86", "#5e5b57", 9)
    + '<circle cx="42" cy="42" r="26" fill="none" stroke="#5e5b57" stroke-width="8"/>',
    "cake": oval(50, 60, 42, 18, "#5b3a22") + box(8, 44, 84, 16, "#6b4a2c") + oval(50, 44, 42, 18, "#8b6a44")
    + words("茶", 50, 53, 24, "#e9d3a8", "middle"),
    "paper": "".join(circle(x, y, 26, "#fdfaf2") + circle(x, y, 22, "#f2ecdd") for x, y in ((38, 60), (62, 54), (50,
        40))),
    "beans": "".join(oval(x, y, 15, 10, "#6b4226")
    + line(f"M{x - 11} {y}q11-6 22 0", "#3d2413", 2.5) for x, y in ((30, 34), (66, 30), (48, 54), (24, 70), (72,
        72))),
    "bicycle": "".join(f'<circle cx="{x}" cy="66" r="20" fill="none" stroke="#333a45" '
        f'stroke-width="5"/>' for x in (24, 76))
    + line("M24 66l18-32h26l8 32M42 34l10 32h-28M52 66l18-28M36 28h12M64 22h10l-4 12", "#d9653b", 5),
    "tent": path("M50 14L92 86H8z", "#e8862f") + path("M50 14L66 86H34z", "#7a3a1a")
    + path("M50 14L8 86h20z", "#f7b267"),
    "dress": path("M38 8q12 10 24 0l8 26l-10 8l24 50h-68l24-50l-10-8z", "#e58aa8") + box(38, 40, 24, 6, "#b9476d")
    + "".join(circle(x, y, 3.5, "#fff3c4") for x, y in ((44, 58), (58, 62), (36, 76), (50, 80), (66, 78), (50, 26))),
    "box": path("M12 34l38-16l38 16v44L50 94L12 78z", "#c99a55") + path("M12 34l38 16l38-16l-38-16z", "#e0b675")
    + path("M50 50v44l38-16v-44z", "#b0803f"),
}


def face(skin: str, hair: str, cloth: str, style: int) -> str:
    """A portrait: hair is short, long, tied up or under a hat."""
    back = path("M24 66q-6-50 26-50t26 50z", hair) if style == 1 else ""
    top = [path("M29 46q-2-30 21-30t21 30q-8-14-21-14t-21 14", hair),
           path("M30 44q8-18 28-16q14 4 12 18q-8-10-20-10q-12 0-20 8", hair),
           circle(50, 16, 9, hair) + path("M29 44q0-26 21-26t21 26q-10-12-21-12t-21 12", hair),
           path("M24 36q26-10 52 0l-4-8q-2-18-22-18t-22 18z", hair)][style]
    return (path("M14 100q2-32 36-32t36 32z", cloth) + back + circle(50, 46, 21, skin) + top
    + circle(42, 48, 2.6, "#2b1a17") + circle(58, 48, 2.6, "#2b1a17")
    + line("M43 57q7 6 14 0", "#9c4a3c", 2.6))


def at(name: str, x: float, y: float, size: float) -> str:
    """A thing at a place, so large."""
    return f'<g transform="translate({x} {y}) scale({size / 100})">{GOODS[name]}</g>'
