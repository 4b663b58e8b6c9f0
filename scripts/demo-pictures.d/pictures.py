"""The demo's pictures by name: width, height and SVG. A name is what operators find them by in the library."""

from goods import at, box, circle, face, line, path, words


def svg(width: int, height: int, body: str, first: str, second: str, angle: int = 20) -> tuple[int, int, str]:
    return width, height, (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<defs><linearGradient id="g" gradientTransform="rotate({angle})"><stop stop-color="{first}"/>'
        f'<stop offset="1" stop-color="{second}"/></linearGradient></defs>'
        f'<rect width="{width}" height="{height}" fill="url(#g)"/>{body}</svg>')


#: Two colours each, light ones first.
TINTS = {
    "red": ("#ffe3dc", "#ffc7bb"), "amber": ("#fff0cf", "#ffdf9e"), "green": ("#e2f3df", "#c2e5bd"),
    "blue": ("#dfeeff", "#bcd9fb"), "violet": ("#efe4fb", "#dac4f5"), "teal": ("#d9f2ee", "#b1e2d9"),
    "sand": ("#f6ead8", "#e9d3ae"), "rose": ("#fde4ec", "#fac3d4"), "grey": ("#eceff3", "#d3dae3"),
}


def icon(thing: str, tint: str, size: int = 88) -> tuple[int, int, str]:
    return svg(size, size, at(thing, size * 0.15, size * 0.15, size * 0.7), *TINTS[tint], 60)


def tile(thing: str, tint: str, width: int, height: int, share: float = 0.72) -> tuple[int, int, str]:
    size = min(width, height) * share
    halo = circle(width / 2, height / 2, size * 0.62, "#ffffff66")
    return svg(width, height, halo + at(thing, (width - size) / 2, (height - size) / 2, size), *TINTS[tint], 50)


def banner(width: int, height: int, first: str, second: str, things: list[str], title: str = "", under: str = "",
           ink: str = "#fff") -> tuple[int, int, str]:
    body = circle(width * 0.86, height * 0.5, height * 0.75, "#ffffff22")
    body += circle(width * 0.1, height * 1.1, height * 0.6, "#ffffff18")
    size = min(height * 0.82, width * 0.25)
    for number, thing in enumerate(reversed(things)):
        body += at(thing, width - (number + 1) * size * 0.95 - height * 0.2, (height - size) * (0.4
            + 0.3 * (number % 2)), size)
    large = height * (0.4 if not under else 0.3) if len(title) < 10 else width * 0.06
    large = min(large, height * 0.4)
    if title:
        body += words(title, height * 0.3, height * (0.64 if not under else 0.52), large, ink)
    if under:
        body += words(under, height * 0.3, height * 0.78, large * 0.55, ink, weight=500)
    return svg(width, height, body, first, second)


def hills(width: int, height: int, base: float, color: str, step: int = 3) -> str:
    y, part = height * base, width / step
    waves = "".join(f"q{part / 2} {-height * 0.22} {part} 0" for _ in range(step))
    return path(f"M0 {y}{waves}V{height}H0z", color)


def scene(width: int, height: int, sky: tuple[str, str], light: str, ground: list[str], things: list[tuple]) -> tuple:
    body = circle(width * 0.74, height * 0.26, height * 0.12, light)
    for number, color in enumerate(ground):
        body += hills(width, height, 0.58 + 0.16 * number, color, 3 - number)
    for thing, x, y, size in things:
        body += at(thing, width * x, height * y, height * size)
    return svg(width, height, body, *sky, 90)


def houses(width: int, height: int, wall: str, roof: str, glow: str) -> str:
    body = ""
    for x, wide, high in ((0.02, 0.24, 0.4), (0.28, 0.2, 0.52), (0.5, 0.26, 0.44), (0.78, 0.22, 0.56)):
        left, top = width * x, height * (1 - high)
        body += box(left, top, width * wide, height * high, wall)
        body += path(f"M{left - width * 0.03} {top}q{width * (wide / 2 + 0.03)} {-height * 0.16} "
                     f"{width * (wide + 0.06)} 0z", roof)
        for row in range(2):
            for column in range(2):
                body += box(left + width * wide * (0.2 + 0.38 * column), top + height * (0.08 + 0.14 * row),
                            width * wide * 0.2, height * 0.07, glow, 2)
    return body


def town(width: int, height: int, sky: tuple[str, str], wall: str, roof: str, glow: str,
    things: list[tuple]) -> tuple:
    body = circle(width * 0.8, height * 0.2, height * 0.09, "#fff3c4") + houses(width, height, wall, roof, glow)
    for thing, x, y, size in things:
        body += at(thing, width * x, height * y, height * size)
    return svg(width, height, body, *sky, 90)


DAY, DUSK, NIGHT, MIST = ("#bfe3ff", "#eaf6ff"), ("#f7a26b", "#fbd9a6"), ("#161a3a", "#3a2f63"), ("#d5e6e1",
    "#f2f5ea")
LANTERNS = [("lantern", x, y, size) for x, y, size in ((0.06, 0.06, 0.4), (0.3, 0.02, 0.3), (0.52, 0.1, 0.44),
    (0.82, 0.3, 0.34))]


def river(width: int, height: int) -> tuple:
    body = circle(width * 0.5, height * 0.46, height * 0.14, "#ffd27a")
    for x, high in ((0.02, 0.3), (0.14, 0.42), (0.24, 0.26), (0.7, 0.34), (0.82, 0.5), (0.92, 0.3)):
        body += box(width * x, height * (0.62 - high), width * 0.09, height * high, "#8a5a6e", 3)
    body += box(0, height * 0.6, width, height * 0.4, "#d97b5a")
    for row in range(5):
        body += line(f"M{width * (0.36 - 0.04 * row)} {height * (0.68 + 0.07 * row)}h{width * (0.28 + 0.08 * row)}",
            "#ffd9a0", 4)
    return svg(width, height, body, *DUSK, 90)


def museum(width: int, height: int) -> tuple:
    body = path(f"M{width * 0.08} {height * 0.42}L{width * 0.5} {height * 0.18}L{width * 0.92} {height * 0.42}z",
        "#f3ede0")
    body += box(width * 0.1, height * 0.82, width * 0.8, height * 0.08, "#d9cdb4")
    body += box(0, height * 0.9, width, height * 0.1, "#8fb08a")
    for column in range(5):
        body += box(width * (0.14 + 0.155 * column), height * 0.44, width * 0.08, height * 0.38, "#efe6d3", 4)
    return svg(width, height, body + at("vase", width * 0.4, height * 0.5, height * 0.3), *DAY, 90)


def island(width: int, height: int) -> tuple:
    body = circle(width * 0.2, height * 0.2, height * 0.1, "#ffe08a")
    body += box(0, height * 0.56, width, height * 0.44, "#4fb3c8")
    body += path(f"M{width * 0.1} {height * 0.72}q{width * 0.4} {-height * 0.2} {width * 0.8} 0z", "#f2d79b")
    body += line(f"M{width * 0.52} {height * 0.64}q{width * 0.06} {-height * 0.2} {width * 0.02} {-height * 0.36}",
        "#8b5a34", 9)
    for turn in (-70, -30, 20, 60, 110):
        x, y = width * 0.54, height * 0.28
        frond = path(f"M{x} {y}q{width * 0.14} {-height * 0.12} {width * 0.3} 0q-{width * 0.16} {-height * 0.03} "
                     f"-{width * 0.3} 0", "#3f8f55")
        body += f'<g transform="rotate({turn} {x} {y})">{frond}</g>'
    for row in range(3):
        body += line(f"M{width * (0.06 + 0.3 * row)} {height * (0.84 + 0.04 * (row % 2))}q{width * 0.06} "
                     f"{-height * 0.04} {width * 0.12} 0", "#d8f2f6", 4)
    return svg(width, height, body, *DAY, 90)


PICTURES: dict[str, tuple[int, int, str]] = {
    "home/empty": tile("box", "sand", 320, 240),
    "home/marquee/horn": icon("horn", "amber", 48), "home/marquee/coin": icon("coin", "amber", 48),
    "home/belt/silk-road-fair.zh": banner(698, 92, "#8f3a12", "#d98a3c", ["umbrella", "vase", "teapot"], "丝路好物节",
        "万里同风"),
    "home/belt/silk-road-fair.vi": banner(698, 92, "#8f3a12", "#d98a3c", ["umbrella", "vase", "teapot"],
        "Con đường Tơ lụa", "Hội chợ"),
    "home/belt/silk-road-fair.en": banner(698, 92, "#8f3a12", "#d98a3c", ["umbrella", "vase", "teapot"],
        "Silk Road fair", "From all along the way"),
    "home/belt/asean-fruit": banner(698, 92, "#2f7d4d", "#a9d06b", ["melon", "mango", "basket", "leaf"]),
    "home/belt/central-asia": banner(698, 92, "#7a4a22", "#e0b06a", ["nuts", "basket", "nuts", "wheat"]),
    "home/belt/porcelain": banner(698, 92, "#1f4f93", "#9cc4ee", ["cup", "vase", "bowl", "vase"]),
    "home/carnival/half-off": banner(698, 300, "#c21f2b", "#ff8a3d", ["handbag", "gift"], "−50%", "11.11"),
    "home/carnival/coupons": banner(698, 300, "#d9541e", "#ffc15c", ["gift", "ticket"], "¥20", "¥50 · ¥100"),
    "home/carnival/new-members": banner(698, 300, "#6a3fb5", "#e58ad0", ["star", "gift"], "+88", "★ ★ ★"),
    "home/carnival/appliances": banner(698, 300, "#1f5fa8", "#7fc4ea", ["recycle", "washer"], "¥0", "↻"),
    "home/carnival/babies": banner(698, 300, "#e0708f", "#ffd3b8", ["bear", "bottle"], "3 = 2", "♥"),
    "home/wallet/welfare": icon("gift", "red", 132),
    "home/wallet/top-up": icon("wallet", "amber"), "home/wallet/transfer": icon("arrows", "blue"),
    "home/wallet/withdraw": icon("coin", "amber"), "home/wallet/bills": icon("bills", "green"),
    "home/wallet/cards": icon("card", "blue"), "home/wallet/points": icon("star", "violet"),
    "home/wallet/phone": icon("phone", "grey"), "home/wallet/utilities": icon("bolt", "teal"),
    "home/otc/desk.zh": banner(698, 120, "#12263f", "#2d6ea3", ["coin", "arrows"], "OTC 交易区", "零手续费", "#f6d069"),
    "home/otc/desk.en": banner(698, 120, "#12263f", "#2d6ea3", ["coin", "arrows"], "OTC desk", "0 %", "#f6d069"),
    "home/zone/tea": banner(698, 120, "#3f7a45", "#c8e0a0", ["leaf", "teapot", "cup"]),
    "home/zone/coffee": banner(698, 120, "#4a2f1f", "#c99a6b", ["beans", "coffee", "cup"]),
    "home/zone/rice": banner(698, 120, "#b98a2f", "#f3e0a8", ["wheat", "bowl", "wheat"]),
    "home/zone/seafood": banner(698, 120, "#1f5f8a", "#9fd8e8", ["fish", "fish", "bowl"]),
    "home/nav/scan": icon("scan", "blue"), "home/nav/groceries": icon("mango", "green"),
    "home/nav/electronics": icon("camera", "blue"), "home/nav/fashion": icon("handbag", "rose"),
    "home/nav/travel": icon("plane", "blue"), "home/nav/health": icon("cross", "teal"),
    "home/nav/movies": icon("film", "violet"), "home/nav/delivery": icon("noodles", "amber"),
    "home/nav/insurance": icon("shield", "teal"), "home/nav/books": icon("book", "sand"),
    "home/nav/toys": icon("bear", "amber"), "home/nav/sports": icon("ball", "green"),
    "home/nav/charity": icon("heart", "rose"), "home/nav/members": icon("crown", "violet"),
    "home/nav/all": icon("grid", "grey"),
    "home/bottom/flash-sale": icon("clock", "red", 120), "home/bottom/group-buy": icon("people", "amber", 120),
    "home/bottom/imports": icon("globe", "blue", 120), "home/bottom/outlet": icon("tag", "rose", 120),
    "home/bottom/second-hand": icon("recycle", "green", 120), "home/bottom/farm": icon("wheat", "amber", 120),
    "home/bottom/new-arrivals": icon("gift", "violet"), "home/bottom/lottery": icon("wheel", "red"),
    "home/live/top-sale": tile("shoe", "amber", 220, 220), "home/live/kitchen": tile("chef", "red", 330, 220, 0.95),
    "home/live/jade": tile("seller", "teal", 330, 220, 0.95),
    "home/ad/credit-card": banner(698, 228, "#172a55", "#5a8fc0", ["coin", "card"], "5 %", "¥ ¥ ¥"),
    "home/ad/charity": scene(698, 228, DAY, "#ffe08a", ["#8fc0a0", "#5c9a6b"], [
        ("book", 0.1, 0.34, 0.6), ("book", 0.3, 0.4, 0.5), ("heart", 0.5, 0.3, 0.4)]),
    "home/ad/language": banner(698, 228, "#2f7d6d", "#a9dcc4", ["book", "globe"], "你好 · Xin chào", "Hello · سلام"),
    "home/local/cleaning": tile("broom", "teal", 164, 140), "home/local/repairs": tile("wrench", "blue", 164, 140),
    "home/local/laundry": tile("shirt", "blue", 164, 140), "home/local/movers": tile("truck", "amber", 164, 140),
    "home/local/pets": tile("paw", "sand", 164, 140), "home/local/hair": tile("scissors", "rose", 164, 140),
    "home/local/carwash": tile("car", "blue", 164, 140), "home/local/tutors": tile("pencil", "amber", 164, 140),
    "home/local/massage": tile("stones", "green", 164, 140), "home/local/photos": tile("portrait", "grey", 164, 140),
    "home/local/printing": tile("printer", "grey", 164, 140), "home/local/flowers": tile("flowers", "rose", 164, 140),
    "home/float/gift": icon("gift", "red", 64),
    "discover/bar/pin": icon("pin", "sand", 48), "discover/bar/search": icon("lens", "grey", 48),
    "discover/scenes/lantern-night.light": town(700, 292, DUSK, "#8f4a3a", "#5b2d28", "#ffd98a", LANTERNS),
    "discover/scenes/lantern-night.dark": town(700, 292, NIGHT, "#2b2145", "#17122b", "#ffc861", LANTERNS),
    "discover/scenes/old-town": town(342, 380, MIST, "#f3efe6", "#4b4f58", "#8b5a34", [("umbrella", 0.36, 0.62,
        0.24)]),
    "discover/scenes/riverside": river(342, 380), "discover/scenes/museum": museum(342, 380),
    "discover/scenes/night-market": town(342, 380, NIGHT, "#4a2b3f", "#c8402f", "#ffd98a", [("noodles", 0.3, 0.66,
        0.32), ("lantern", 0.1, 0.04, 0.26), ("lantern", 0.6, 0.1, 0.22)]),
    "discover/scenes/tea-hill": scene(342, 380, MIST, "#fff3c4", ["#9cc48a", "#6fa765", "#4b8650"], [("leaf", 0.34,
        0.5, 0.3)]),
    "discover/scenes/island": island(342, 380),
    "discover/brands/bamboo-basket": tile("basket", "sand", 320, 320), "discover/brands/celadon-cup": tile("cup",
        "teal", 320, 360),
    "discover/brands/coffee-beans": tile("coffee", "sand", 320, 360),
        "discover/brands/oil-umbrella": tile("umbrella", "amber", 320, 400),
    "discover/brands/pu-er-cake": tile("cake", "green", 320, 320), "discover/brands/rice-paper": tile("paper",
        "rose", 320, 400),
    "spring/over": tile("leaf", "green", 320, 240),
    "spring/stage.zh": scene(600, 480, ("#ffd9e4", "#fff4e3"), "#ffe08a", ["#b9dba0", "#86bf78"], [("flowers", 0.08,
        0.5, 0.4), ("umbrella", 0.56, 0.44, 0.46)]),
    "spring/offers/flowers": icon("flowers", "rose", 96), "spring/offers/tea": icon("teapot", "green", 96),
    "spring/offers/outing": banner(698, 200, "#4b8650", "#c8e0a0", ["basket", "umbrella", "cup"]),
    "spring/picks/kettle": tile("teapot", "amber", 400, 400), "spring/picks/dress": tile("dress", "rose", 360, 480),
    "spring/picks/seeds": tile("leaf", "green", 384, 480), "spring/picks/tent": scene(480, 320, DAY, "#fff3c4",
        ["#9cc48a", "#6fa765"], [("tent", 0.3, 0.4, 0.5)]),
    "spring/picks/bicycle": tile("bicycle", "blue", 500, 400),
    "spring/stories/tea": scene(480, 270, MIST, "#fff3c4", ["#9cc48a", "#6fa765", "#4b8650"], [("teapot", 0.36, 0.5,
        0.44)]),
    "spring/stories/picnic": scene(270, 480, DAY, "#fff3c4", ["#9cc48a", "#6fa765"], [("basket", 0.2, 0.6, 0.3)]),
    "spring/stories/hanoi": town(480, 270, DUSK, "#e0b06a", "#8f3a12", "#fff3c4", [("flowers", 0.38, 0.5, 0.5)]),
}

_, _, spring = PICTURES["spring/stage.zh"]
for locale, text in {"zh": "春日焕新季", "vi": "Mùa xuân tươi mới", "en": "A fresh spring"}.items():
    PICTURES[f"spring/stage.{locale}"] = 600, 480, spring.replace(
        "</svg>", words(text, 300, 150, 54, "#a63c17", "middle") + "</svg>")

#: Stories share pictures, as an editor would.
STORIES = {
    "bread": tile("bowl", "amber", 240, 160, 0.85), "tea": tile("cup", "teal", 240, 160, 0.85),
        "kitchen": tile("noodles", "red", 240, 160, 0.85),
    "fish": tile("fish", "blue", 240, 160, 0.85), "plants": tile("leaf", "green", 240, 160, 0.85),
        "camera": tile("camera", "grey", 240, 160, 0.85),
    "books": tile("book", "sand", 240, 160, 0.85), "laundry": tile("shirt", "blue", 240, 160, 0.85),
        "craft": tile("vase", "blue", 240, 160, 0.85),
    "cat": tile("paw", "rose", 240, 160, 0.85), "bike": tile("bicycle", "amber", 240, 160, 0.85),
        "run": tile("shoe", "green", 240, 160, 0.85),
    "hills": scene(240, 160, MIST, "#fff3c4", ["#9cc48a", "#6fa765", "#4b8650"], []), "town": town(240, 160, DUSK,
        "#e9d3a8", "#8f3a12", "#fff3c4", []),
    "sea": island(240, 160), "night": town(240, 160, NIGHT, "#2b2145", "#17122b", "#ffc861", [("lantern", 0.1, 0.05,
        0.4)]),
}
PICTURES |= {f"discover/stories/{name}": picture for name, picture in STORIES.items()}

# The makers: who they are, in the colours of what they make.
for number, (name, tint) in enumerate({
        "indigo": "blue", "lacquer": "red", "paper-lamps": "amber", "rattan": "sand", "porcelain": "teal",
        "silver": "grey",
        "silk": "rose", "ink": "violet"}.items()):
    skin, hair = ("#f3cfae", "#e0b088", "#c98f62")[number % 3], ("#2c1f1b", "#4a3226", "#6b6b70",
        "#1d1d22")[number % 4]
    cloth = ("#2d4f8f", "#a63228", "#e0862f", "#8b6a3a", "#2f8a7d", "#59636e", "#c0567f", "#5a3f8f")[number]
    PICTURES[f"discover/makers/{name}"] = svg(88, 88,
        f'<g transform="scale(.88)">{face(skin, hair, cloth, (number * 3 + number // 4) % 4)}</g>',
                                              *TINTS[tint], 60)

# A mosaic: large ones and small ones.
PICTURES |= {f"discover/today/{name}": tile(thing, tint, size, size, 0.66) for name, thing, tint, size in (
    ("tea", "teapot", "green", 440), ("mango", "mango", "amber", 220), ("fish", "fish", "blue", 220),
    ("noodles", "noodles", "red", 440), ("flowers", "flowers", "rose", 220), ("bread", "wheat", "sand", 220))}
