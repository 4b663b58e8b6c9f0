"""A section's items as a table: the keys of a spreadsheet, its clipboard, its files; edits as those of the form."""

import re

import pytest
from playwright.sync_api import expect

COUNT = 2_000
URL = "https://example.com/a.png"


def product(name, title, amount=1, currency="USD"):
    image = {"url": URL, "width": 100, "height": 100}
    return {"id": name, "kind": "product",
            "content": {"title": title, "image": image, "price": {"amount": amount, "currency": currency}}}


@pytest.fixture
def shop(server):
    """A page with three products, one of which has a title by locale."""
    items = [product("tea", {"en": "Tea", "ar": "شاي"}, 12.5), product("cup", "Cup", 3), product("pot", "Pot", 40)]
    make(server, items)
    return server


def make(server, items):
    server.api("PUT", "/pages/shop", {"title": "Shop", "defaultLocale": "en", "locales": ["en", "ar"]},
               If_None_Match="*")
    server.api("PUT", "/pages/shop/sections/goods", {"kind": "feed", "items": items}, If_None_Match="*")


def saved(server):
    return server.api("GET", "/pages/shop/sections/goods/content")["items"]


class Table:
    def __init__(self, operator):
        self.operator, self.page = operator, operator.page
        operator.open("shop")
        operator.select("goods")
        self.page.get_by_role("button", name="Table…").click()
        self.dialog = self.page.locator("dialog.whole")
        # The first cell looks chosen, and has the keys.
        expect(self.dialog.locator(".sheet-field")).to_be_focused()

    @property
    def columns(self):
        names = self.dialog.locator(".sheet-head [role=columnheader]").all_inner_texts()
        return [re.sub(r"\s*[▴▾]$", "", name).strip() for name in names]

    def cell(self, item, label):
        row = self.dialog.locator(".sheet-body .sheet-row").filter(has_text=item)
        self.operator.holds(lambda: label in self.columns, f"there is no column {label}")
        number = self.columns.index(label)
        return row.locator("> *").nth(number)

    def go(self, item, label):
        self.cell(item, label).click()
        expect(self.dialog.locator(".sheet-field")).to_be_focused()

    def says(self, item, label, text):
        expect(self.cell(item, label).locator("> span")).to_have_text(text)

    def save(self):
        self.page.keyboard.press("Control+s")
        # Thousands of items take a server that is built for tests its time.
        expect(self.dialog.locator("footer .hint")).to_have_text("", timeout=90_000)

    def paste(self, text):
        """What a program has put on the clipboard is pasted by the key."""
        self.page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
        self.page.keyboard.press("Control+v")

    def allow_clipboard(self):
        self.operator.context.grant_permissions(["clipboard-read", "clipboard-write"])

    def choose(self, text):
        """Chooses a file of this text, and gives the dialog that tells what it would change."""
        self.dialog.get_by_role("button", name="Read a CSV file…").click()
        dialog = self.page.get_by_role("dialog", name="Read a CSV file")
        content = text if isinstance(text, bytes) else text.encode()
        dialog.locator("input[type=file]").set_input_files(
            {"name": "goods.csv", "mimeType": "text/csv", "buffer": content})
        return dialog


def test_the_keys_of_a_spreadsheet(operators, shop):
    lin = operators()
    table = Table(lin)
    keys = lin.page.keyboard
    table.go("cup", "Price / Amount")
    # What is typed takes the place of what was there; Enter goes down, Tab to the right.
    keys.type("129.50")
    keys.press("Enter")
    table.says("cup", "Price / Amount", "129.5")
    keys.type("7")
    keys.press("Tab")
    table.says("pot", "Price / Amount", "7")
    keys.type("VND")
    keys.press("Enter")
    table.says("pot", "Price / Currency", "VND")
    # F2 writes on in what is there, and Escape leaves it as it was.
    table.go("cup", "Title")
    keys.press("F2")
    keys.type(" of tea")
    keys.press("Escape")
    table.says("cup", "Title", "Cup")
    keys.press("Enter")
    keys.type("s")
    keys.press("Enter")
    table.says("cup", "Title", "Cups")
    # Delete empties, and what is undone comes back.
    keys.press("ArrowUp")
    keys.press("Delete")
    table.says("cup", "Title", "")
    keys.press("Control+z")
    table.says("cup", "Title", "Cups")
    keys.press("Control+z")
    table.says("cup", "Title", "Cup")
    keys.press("Control+y")
    table.says("cup", "Title", "Cups")
    # A locale's cell makes a text differ, and what it was stays for all others.
    table.go("pot", "Title (ar)")
    keys.type("قدر")
    keys.press("Enter")
    expect(table.cell("pot", "Title (ar)").locator("span")).to_have_attribute("dir", "auto")
    lin.check_access("the table")
    lin.shot("table")
    table.save()
    cup, pot = saved(shop)[1:]
    assert cup["content"]["title"] == "Cups" and cup["content"]["price"] == {"amount": 129.5, "currency": "USD"}
    assert pot["content"]["title"] == {"*": "Pot", "ar": "قدر"}
    assert pot["content"]["price"] == {"amount": 7, "currency": "VND"}


def test_a_refusal_stands_at_its_cell_and_loses_nothing(operators, shop):
    lin = operators()
    table = Table(lin)
    keys = lin.page.keyboard
    table.go("cup", "Price / Amount")
    keys.type("1,5")
    keys.press("Enter")
    table.says("cup", "Price / Amount", "1,5")
    expect(table.cell("cup", "Price / Amount")).to_have_attribute("aria-invalid", "true")
    keys.press("ArrowUp")
    expect(table.dialog.locator(".sheet-note")).to_contain_text("Write 1.5 or 15")
    lin.check_access("a refused cell")
    keys.press("Control+s")
    expect(table.dialog.get_by_role("alert")).to_contain_text("Not saved. Problems: 1")
    # It is the form's text as well.
    keys.press("Escape")
    expect(table.dialog).to_have_count(0)
    lin.page.locator(".panel.right .items .item-toggle").nth(1).click()
    expect(lin.field("/items/1/content/price/amount")).to_have_value("1,5")
    lin.page.get_by_role("button", name="Table…").click()
    table.go("cup", "Price / Amount")
    keys.type("1.5")
    keys.press("Enter")
    table.save()
    assert saved(shop)[1]["content"]["price"]["amount"] == 1.5


def test_cells_are_pasted_and_copied(operators, shop):
    lin = operators()
    table = Table(lin)
    table.allow_clipboard()
    keys = lin.page.keyboard
    # As Excel writes them: a cell with a line break and a quote is quoted.
    table.go("cup", "Title")
    # Title (en), Title (ar) stand between: two rows, three columns.
    table.paste("\"Mug,\n\"\"big\"\"\"\t\t\r\n")
    table.says("cup", "Title", "Mug,\n\"big\"")
    table.go("cup", "Price / Amount")
    table.paste("5\tVND\r\n6.5\tCNY\r\n7\tUSD\r\n")
    table.says("pot", "Price / Currency", "CNY")
    expect(table.dialog.get_by_role("status").filter(has_text="4 items")).to_be_visible()
    keys.press("Control+z")
    expect(table.dialog.get_by_role("status").filter(has_text="3 items")).to_be_visible()
    table.says("cup", "Price / Amount", "3")
    keys.press("Control+y")
    table.go("cup", "Price / Amount")
    keys.press("Shift+ArrowRight")
    keys.press("Shift+ArrowDown")
    keys.press("Control+c")
    lin.holds(lambda: lin.page.evaluate("navigator.clipboard.readText()") == "5\tVND\r\n6.5\tCNY")
    # What would be a formula is copied as a text, and pasted as what it was.
    table.go("pot", "Title")
    keys.type("=1+1")
    keys.press("Enter")
    keys.press("ArrowUp")
    keys.press("Control+c")
    lin.holds(lambda: lin.page.evaluate("navigator.clipboard.readText()") == "'=1+1")
    table.go("cup", "Title")
    keys.press("Control+v")
    table.says("cup", "Title", "=1+1")
    # What has no room is refused whole.
    table.go("tea", "Action / Url")
    keys.press("End")
    table.paste("a\tb\tc")
    expect(lin.page.locator("dialog .in-dialog").filter(has_text="Nothing was pasted")).to_be_visible()
    table.says("tea", "Action / Url", "")


def test_rows_are_added_sorted_kept_and_removed(operators, shop):
    lin = operators()
    table = Table(lin)
    dialog = table.dialog
    ids = dialog.locator(".sheet-body .sheet-row > :nth-child(2) > span")
    dialog.get_by_role("button", name="Price / Amount").click()
    expect(ids).to_have_text(["cup", "tea", "pot"])
    dialog.get_by_role("button", name="Price / Amount").click()
    expect(ids).to_have_text(["pot", "tea", "cup"])
    dialog.get_by_role("button", name="Keep this order").click()
    table.go("tea", "Title (en)")
    dialog.get_by_role("button", name="Remove rows: 1").click()
    expect(ids).to_have_text(["pot", "cup"])
    table.go("pot", "Title")
    table.save()
    assert [item["id"] for item in saved(shop)] == ["pot", "cup"]


def test_thousands_of_rows(operators, server, tell):
    make(server, [product(f"p{number}", f"Product {number}", number) for number in range(COUNT)])
    lin = operators()
    table = Table(lin)
    keys = lin.page.keyboard
    nodes = "document.querySelectorAll('.sheet *').length"
    table.go("Product 0", "Title")
    tell(f"{lin.page.evaluate(nodes)} elements in a table of {COUNT} rows")
    assert lin.page.evaluate(nodes) < 2_500
    keys.press("Control+ArrowDown")
    table.says(f"Product {COUNT - 1}", "Title", f"Product {COUNT - 1}")
    keys.type("The last")
    keys.press("Enter")
    table.says(f"p{COUNT - 1}", "Title", "The last")
    table.dialog.locator(".sheet").evaluate("(sheet) => sheet.scrollTo(0, sheet.scrollHeight / 2)")
    expect(table.dialog.locator(".sheet-row[data-row='1000']")).to_be_visible()
    assert lin.page.evaluate(nodes) < 2_500
    # The keys go on where they were.
    keys.press("ArrowUp")
    expect(table.cell(f"p{COUNT - 2}", "Title").locator(".sheet-field")).to_be_focused()
    # A file of all rows is told before it is taken.
    text = "id,Price / Amount\r\n" + "".join(f"p{number},{number + 1}\r\n" for number in range(COUNT))
    preview = table.choose(text)
    expect(preview.locator(".outcome-counts")).to_contain_text(f"changed: {COUNT}")
    preview.get_by_role("button", name="Take it into the table").click()
    table.save()
    items = saved(server)
    assert items[-1]["content"]["title"] == "The last"
    assert [item["content"]["price"]["amount"] for item in items] == list(range(1, COUNT + 1))


def test_a_file_is_told_before_anything_changes(operators, shop):
    lin = operators()
    table = Table(lin)
    before = saved(shop)
    preview = table.choose('﻿id;Title;Price / Amount;Price / Currency\r\n'
                           'cup;Mug;"1,290";USD\r\nnew;New;3;EUR\r\npot;Pot;41;USD\r\n')
    expect(preview.locator(".outcome-counts")).to_contain_text("refused: 2")
    rows = preview.locator("tbody tr")
    expect(rows.nth(0)).to_contain_text("Price / Amount: “1,290” can be read in several ways. Write 1290, 1,2900.")
    expect(rows.nth(1)).to_contain_text("A new item needs one of these kinds")
    expect(preview.get_by_role("button", name="Take it into the table")).to_be_disabled()
    lin.check_access("what a file would change")
    lin.shot("table-file")
    preview.get_by_role("button", name="Cancel").click()
    table.says("pot", "Price / Amount", "40")
    # Letters of another encoding are not guessed.
    preview = table.choose("id,Title\r\ncup,Größe\r\n".encode("windows-1252"))
    expect(preview.get_by_role("alert")).to_contain_text("CSV UTF-8")
    preview.get_by_role("button", name="Cancel").click()
    assert saved(shop) == before
    preview = table.choose("id,kind,Title,Price / Amount,Price / Currency,Image / Url,/content/image/width,"
                           f"/content/image/height\r\ncup,,Mug,3,USD,{URL},100,100\r\n"
                           f",product,'=New,3,USD,{URL},10,10\r\n")
    preview.get_by_label("Remove the items that the file does not have").check()
    expect(preview.locator(".outcome-counts")).to_contain_text("added: 1")
    expect(preview.locator(".outcome-counts")).to_contain_text("removed: 2")
    preview.get_by_role("button", name="Take it into the table").click()
    table.go("cup", "Title")
    table.save()
    cup, new = saved(shop)
    assert cup["content"]["title"] == "Mug" and new["content"]["title"] == "=New"


def test_a_file_that_is_downloaded_is_read_again(operators, shop):
    lin = operators()
    table = Table(lin)
    table.dialog.get_by_role("button", name="As a CSV file…").click()
    with lin.page.expect_download() as download:
        lin.page.get_by_role("button", name="Download").click()
    content = open(download.value.path(), "rb").read()
    assert content.startswith(b"\xef\xbb\xbfid,kind,") and download.value.suggested_filename == "shop goods.csv"
    preview = table.choose(content)
    expect(preview.get_by_role("status").last).to_contain_text("The file says what is here already.")


def test_two_operators_write_in_one_table(operators, shop):
    lin, mei = operators(), operators()
    lin.expected.add(412)
    here, there = Table(lin), Table(mei)
    here.go("cup", "Price / Amount")
    lin.page.keyboard.type("4")
    lin.page.keyboard.press("Enter")
    there.go("pot", "Title")
    mei.page.keyboard.type("Kettle")
    mei.page.keyboard.press("Enter")
    there.save()
    # What the other one saved comes beside what is not saved here.
    here.says("pot", "Title", "Kettle")
    here.says("cup", "Price / Amount", "4")
    here.save()
    assert [item["content"]["title"] for item in saved(shop)[1:]] == ["Cup", "Kettle"]
    assert saved(shop)[1]["content"]["price"]["amount"] == 4
    # Where both write in one cell, the second is asked.
    there.says("cup", "Price / Amount", "4")
    for table, text in ((here, "5"), (there, "6")):
        table.go("cup", "Price / Amount")
        table.page.keyboard.type(text)
        table.page.keyboard.press("Enter")
    here.save()
    expect(there.dialog.get_by_role("alert").filter(has_text="saved elsewhere")).to_be_visible()
    mei.expected.add(412)
    mei.page.keyboard.press("Control+s")
    conflict = mei.page.locator("dialog").last
    expect(conflict).to_contain_text("6")
    expect(conflict).to_contain_text("5")


def test_the_table_in_chinese_on_a_narrow_screen(operators, shop):
    lin = operators(language="zh-Hans", width=390, height=800)
    lin.open("shop")
    lin.row("goods").locator(".row-main").click()
    lin.page.get_by_role("button", name="表格…").click()
    grid = lin.page.get_by_role("grid")
    expect(grid).to_be_visible()
    assert grid.evaluate("(grid) => grid.scrollWidth > grid.clientWidth")
    assert lin.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    lin.check_access("a narrow table in Chinese")
    lin.shot("table-narrow")


def test_who_may_not_edit_looks_on(operators, shop):
    lin = operators(token=shop.make_token("gast", "viewer"))
    table = Table(lin)
    table.go("cup", "Price / Amount")
    lin.page.keyboard.type("9")
    table.says("cup", "Price / Amount", "3")
    expect(table.dialog.get_by_role("button", name="Read a CSV file…")).to_have_count(0)
