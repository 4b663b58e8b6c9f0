"""The texts of all pages in two locales: what is missing, what is written, and files of it."""

import pytest
from playwright.sync_api import expect


def story(name, title):
    return {"id": name, "kind": "article", "content": {"title": title, "date": "2026-11-22T08:00:00Z"}}


@pytest.fixture
def news(server):
    """A page with a text that lacks Arabic, one that has it, and one that is the same everywhere."""
    server.api("PUT", "/pages/news", {"title": "News", "defaultLocale": "en", "locales": ["en", "ar"]},
               If_None_Match="*")
    items = [story("one", {"en": "First"}), story("two", {"en": "Second", "ar": "ثان"}), story("three", "Third")]
    server.api("PUT", "/pages/news/sections/stories", {"kind": "feed", "items": items}, If_None_Match="*")
    return server


def titles(server):
    return [item["content"]["title"] for item in server.api("GET", "/pages/news/sections/stories/content")["items"]]


class Texts:
    def __init__(self, operator, page="News"):
        self.operator, self.page = operator, operator.page
        self.page.get_by_role("link", name="Translations").click()
        self.grid = self.page.get_by_role("grid")
        self.page.get_by_role("button", name=f"{page}, Arabic:").click()
        expect(self.grid).to_be_visible()

    def rows(self):
        return self.grid.locator(".sheet-body .sheet-row")

    def target(self, row):
        return self.rows().filter(has_text=row).locator("[data-column='4']")

    def write(self, row, text):
        self.target(row).click()
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")
        expect(self.target(row).locator("> span")).to_have_text(text)

    def save(self):
        self.page.keyboard.press("Control+s")
        expect(self.page.locator(".translations .panel-foot .hint")).to_have_text("")

    def shown(self, name):
        self.page.get_by_label("Shown").select_option(label=name)

    def choose(self, text):
        self.page.get_by_role("button", name="Read a CSV file…").click()
        dialog = self.page.get_by_role("dialog", name="Read a CSV file")
        dialog.locator("input[type=file]").set_input_files(
            {"name": "texts.csv", "mimeType": "text/csv", "buffer": text.encode()})
        return dialog


def test_what_is_missing_is_written_beside_its_source(operators, news):
    lin = operators()
    texts = Texts(lin)
    expect(texts.rows()).to_have_count(1)
    texts.write("First", "الأول")
    expect(texts.target("First").locator("> span")).to_have_attribute("dir", "auto")
    lin.check_access("the translations")
    lin.shot("translations")
    texts.shown("What is the same everywhere")
    texts.write("Third", "الثالث")
    texts.save()
    assert titles(news) == [
        {"en": "First", "ar": "الأول"}, {"en": "Second", "ar": "ثان"}, {"*": "Third", "ar": "الثالث"}]
    expect(lin.page.get_by_role("button", name="News, Arabic: 0 missing")).to_be_visible()


def test_what_is_written_outlives_a_reload_and_is_not_left_unasked(operators, news):
    lin = operators()
    texts = Texts(lin)
    texts.write("First", "الأول")
    lin.has_kept()
    lin.page.reload()
    texts.page.get_by_role("button", name="News, Arabic:").click()
    expect(texts.target("First").locator("> span")).to_have_text("الأول")
    lin.says_yes = False
    lin.page.get_by_role("link", name="Calendar").click()
    lin.is_asked()
    expect(texts.grid).to_be_visible()
    texts.save()
    assert titles(news)[0] == {"en": "First", "ar": "الأول"}


def test_what_somebody_changed_meanwhile_is_told_and_kept(operators, news):
    lin = operators()
    texts = Texts(lin)
    texts.shown("All texts")
    texts.write("First", "الأول")
    texts.write("Second", "الثاني")
    content = news.api("GET", "/pages/news/sections/stories/content")
    content["items"][1]["content"]["title"]["ar"] = "غيره"
    news.api("PUT", "/pages/news/sections/stories/content", content, If_Match="*")
    lin.page.keyboard.press("Control+s")
    expect(lin.page.locator(".toast.failure")).to_contain_text("Not saved, with the reason at each: 1")
    texts.target("Second").click()
    expect(lin.page.locator(".sheet-note")).to_contain_text("Somebody translated it meanwhile: “غيره”")
    assert titles(news)[:2] == [{"en": "First", "ar": "الأول"}, {"en": "Second", "ar": "غيره"}]


def test_a_file_goes_out_and_comes_back(operators, news):
    lin = operators()
    texts = Texts(lin)
    texts.shown("All texts")
    lin.page.get_by_role("button", name="As a CSV file…").click()
    lin.page.get_by_label("Between cells").select_option(",")
    with lin.page.expect_download() as download:
        lin.page.get_by_role("button", name="Download").click()
    text = open(download.value.path(), encoding="utf-8-sig", newline="").read()
    assert text.startswith("page,section,item,pointer,source (en),translation (ar),exported (ar)\r\n")
    # Whoever translates fills in one column; meanwhile a text is another, and one has a translation.
    done = text.replace("First,,", "First,الأول,").replace("Third,,", "Third,الثالث,").replace("ثان,ثان", "الثاني,ثان")
    content = news.api("GET", "/pages/news/sections/stories/content")
    content["items"][1]["content"]["title"] = {"en": "Second thoughts", "ar": "ثان"}
    news.api("PUT", "/pages/news/sections/stories/content", content, If_Match="*")
    lin.page.reload()
    preview = texts.choose(done)
    expect(preview.locator(".outcome-counts")).to_contain_text("changed since: 1")
    expect(preview.locator(".outcome-counts")).to_contain_text("added: 2")
    expect(preview.locator("tr.stale")).to_contain_text("The source text is another now: “Second thoughts”")
    lin.check_access("a file of translations")
    preview.get_by_role("button", name="Take it into the table").click()
    expect(lin.page.locator(".translations .panel-foot .hint")).to_have_text("Not saved: 2")
    texts.save()
    assert titles(news) == [
        {"en": "First", "ar": "الأول"}, {"en": "Second thoughts", "ar": "ثان"}, {"*": "Third", "ar": "الثالث"}]
    # What was told is taken where that is chosen.
    preview = texts.choose(done)
    preview.get_by_label("Take it all the same").check()
    preview.get_by_role("button", name="Take it into the table").click()
    texts.save()
    assert titles(news)[1]["ar"] == "الثاني"
    # A row that is none refuses the file.
    preview = texts.choose(text.replace("First,,", "First,x,").replace(",one,", ",gone,"))
    expect(preview.locator("tr.refused")).to_contain_text("This text is not there any more.")
    expect(preview.get_by_role("button", name="Take it into the table")).to_be_disabled()


def test_translations_in_chinese_on_a_narrow_screen(operators, news):
    lin = operators(language="zh-Hans", width=390, height=800)
    lin.page.goto(f"{lin.console}#/translations")
    expect(lin.page.get_by_role("heading", name="翻译")).to_be_visible()
    assert lin.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    lin.check_access("narrow translations in Chinese")
    lin.shot("translations-narrow")
