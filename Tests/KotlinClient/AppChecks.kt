// The app of docs/apps.md against a server, and runs whose lines kotlin.test.mjs reads.

import androidx.recyclerview.widget.ItemTouchHelper
import androidx.recyclerview.widget.RecyclerView
import android.graphics.Bitmap
import android.graphics.Canvas
import android.graphics.Color
import android.text.SpannableString
import android.text.style.ForegroundColorSpan
import android.view.Context
import android.view.View
import android.view.ViewGroup
import android.widget.PopupMenu
import android.widget.TextView
import hearth.client.FileStorage
import hearth.client.Frames
import hearth.client.HttpTransport
import hearth.client.Item
import hearth.client.ItemAction
import hearth.client.Json
import hearth.client.Page
import hearth.client.PageClient
import hearth.client.PageException
import hearth.client.PageRequest
import hearth.client.PageSettings
import hearth.client.Section
import hearth.client.Signal
import hearth.client.SignatureFailure
import hearth.client.Signatures
import hearth.client.Timing
import hearth.client.hashOf
import hearth.samples.Backdrop
import hearth.samples.BackdropView
import hearth.samples.Drawing
import hearth.samples.Offers
import hearth.samples.PageAdapter
import hearth.samples.Placed
import java.io.File
import java.io.IOException
import java.net.ServerSocket
import java.util.Random

private val tells = mapOf("platform" to "android", "appVersion" to "6.0.0", "locale" to "en")

/** Waits for something that other threads do. */
private fun until(what: String, isSo: () -> Boolean) {
    val end = System.nanoTime() + 20_000_000_000
    while (!isSo()) {
        if (System.nanoTime() > end) throw AssertionError("never: $what")
        Thread.sleep(5)
    }
}

private fun sectionsOf(placed: List<Placed>) = placed.map { it.id.substringBefore('/') }.distinct()
private fun textsIn(list: RecyclerView): List<String> = list.children.filter { it !is BackdropView }
    .flatMap { if (it is RecyclerView) textsIn(it) else listOf((it as TextView).text) }

/** What a real server signs. */
private fun checkSigned(server: String, keys: List<String>) {
    fun client(key: String): PageClient {
        val settings = PageSettings(
            server, parameters = tells, timing = Timing(pauseMin = 0.01),
            signatures = Signatures(Signatures.Mode.REQUIRE, listOf(key)))
        return PageClient(settings)
    }
    check("what a server signs verifies, and a stranger's key takes nothing") {
        val client = client(keys[0])
        // A page, and that it is the one to show.
        for (poll in 1..2) {
            client.poll()
            equal(client.verification?.reason, null)
            assert(client.verification?.keyID != null)
        }
        val stranger = client(keys[1])
        equal(fails<PageException>("a stranger") { stranger.poll() }.reason, SignatureFailure.UNKNOWN_KEY)
        equal(stranger.page, null)
    }
}

fun checkApp(server: String, keys: List<String>) {
    val page = PageClient(PageSettings(server, parameters = tells)).apply { poll() }.page ?: throw AssertionError("no page")
    val ids = page.sections.map { it.id }
    check("the app shows the home, what it kept, and only what is seen of it") {
        System.setProperty("files", createTempDir().path)
        for (address in listOf(server, "http://127.0.0.1:1")) {
            val app = HomeActivity(address)
            app.onCreate(null)
            val list = app.content as RecyclerView
            list.layout(0, 0, 750, 1334)
            app.onStart()
            val adapter = list.adapter as PageAdapter
            if (address == server) {
                until("a page is shown") { list.children.isNotEmpty() }
                app.onStop()
                // What is being shown on the main thread is shown to its end.
                app.runOnUiThread {}
                equal(sectionsOf(adapter.currentList), ids)
                assert(textsIn(list).all { it != "" }) { "${textsIn(list)}" }
                // Each section of the demo, and what scrolls sideways in it.
                fun drawn(placed: Placed): List<String> = when {
                    placed.backdrop != null -> emptyList()
                    placed.row.isNotEmpty() -> placed.row.flatMap { drawn(it) }
                    else -> listOf((app.create(list, placed.kind) as TextView).also { app.bind(it, placed.items) }.text)
                }
                val texts = adapter.currentList.groupBy { it.id.substringBefore('/') }.mapValues { it.value.flatMap(::drawn) }
                equal(texts.filterValues { it.isNotEmpty() && it.all { text -> text != "" } }.keys.toList(), ids)
                equal(list.children.all { it.top < 1334 && it.top + it.height > 0 }, true)
                assert(list.children.size < adapter.currentList.size)
                val first = textsIn(list)
                list.scroll(1000)
                assert(textsIn(list) != first)
                adapter.show(page)
                equal(adapter.same, adapter.currentList.size)
                // What scrolls sideways comes to rest where Frames says.
                val placed = adapter.currentList.find { it.stops.size > 1 } ?: throw AssertionError("nothing rests")
                list.scroll(-100_000)
                list.scroll(placed.y - 10)
                val row = list.children.find { it is RecyclerView && it.left == placed.x && it.height == placed.height }
                val before = (row as RecyclerView).children.map { it.left }
                row.scroll(placed.stops[1] - 3)
                equal(row.children.any { it.left == before[0] }, true, "${row.children.map { it.left }} $before")
            } else {
                // Another server's page is no page of this one.
                app.onStop()
                equal(adapter.currentList, emptyList<Placed>())
            }
        }
        val again = HomeActivity(server)
        again.onCreate(null)
        again.content.layout(0, 0, 1334, 750)
        again.onStart()
        until("what was kept is shown") { (again.content as RecyclerView).children.isNotEmpty() }
        again.onStop()
    }
    checkChrome()
    checkPersonal()
    checkTabs()
    checkOffers()
    check("types of contents read the page, and write it again") {
        val typed = hearth.kinds.Page.read(page.json)
        equal(typed.dropped, emptyList())
        equal(typed.toJson(), page.json as Any)
        val known = typed.sections.filter { it !is hearth.kinds.Section.Unknown }
        assert(known.isNotEmpty())
        typed.sections.forEachIndexed { at, section ->
            val (one, other) = listOf(Section(section.toJson()), page.sections[at])
                .map { Frames.of(it, 375.0) { _, _ -> 40.0 }.height }
            equal(one, other)
        }
        equal(hearth.kinds.JsonText.write(typed.toJson()).length, page.text.length)
    }
    checkSigned(server, keys)
    checkTransport()
}

/** Draws each item as its id. */
private object Ids : Drawing {
    override fun create(parent: ViewGroup, kind: String): View = TextView(parent.context)
    override fun bind(view: View, items: List<Item>) { (view as TextView).text = items.joinToString { it.id } }
    val performed = ArrayList<String>()
    override fun perform(item: Item, chosen: ItemAction) { performed.add("${item.id} ${chosen.action["handler"]}") }
    /** The address of each picture that was asked for, and what brings it. */
    val asked = LinkedHashMap<String, (Bitmap) -> Unit>()
    override fun picture(url: String, show: (Bitmap) -> Unit) { asked[url] = show }
}

private fun pageOf(rest: String): Page {
    val version = hashOf("{\"page\":\"p\",$rest")
    return Page.read("{\"page\":\"p\",\"version\":\"$version\",$rest", "p")
}

private fun checkChrome() {
    check("a header stays until its section ends, above what scrolls, and its background is behind all of it") {
        fun section(id: String, more: String) = "{\"id\":\"$id\",\"kind\":\"k\",\"index\":0," +
            "\"header\":{\"id\":\"$id-title\",\"kind\":\"title\",\"content\":{}},\"layout\":{\"style\":\"grid\",\"rows\":[1]," +
            "\"itemSize\":{\"width\":\"container\",\"height\":{\"points\":100}}$more},\"items\":[" +
            (0 until 8).joinToString(",") { "{\"id\":\"$id$it\",\"kind\":\"cell\",\"content\":{}}" } + "]}"
        val look = ",\"stickyHeader\":true,\"background\":{\"color\":\"#FF0000\"},\"backgroundFrame\":\"section\""
        val group = ",\"group\":{\"cells\":[{\"column\":0,\"row\":0,\"rowSpan\":2},{\"column\":1,\"row\":0}," +
            "{\"column\":1,\"row\":1}],\"columns\":[1,1],\"rows\":[1,1]}"
        val rest = "\"locale\":\"en\",\"sortRule\":\"default\"," +
            "\"sections\":[${section("a", look)},${section("b", group)}]}"
        val version = hashOf("{\"page\":\"p\",$rest")
        val text = "{\"page\":\"p\",\"version\":\"$version\",$rest"
        val list = RecyclerView(Context())
        val adapter = PageAdapter(list, Ids)
        list.layout(0, 0, 750, 400)
        adapter.show(Page.read(text, "p"))
        equal(list.children[0] is BackdropView, true)
        equal(listOf(list.children[0].top, list.children[0].height), listOf(0, 2 * (20 + 800)))
        fun header() = list.children.find { (it as? TextView)?.text == "a-title" }
        equal(Pair(header()?.top, list.children.last() === header()), Pair<Int?, Boolean>(0, true))
        list.scroll(300)
        equal(Pair(header()?.top, textsIn(list).last()), Pair<Int?, String>(0, "a-title"))
        // The section ends at 1640, and its header is 40 high.
        list.scroll(1310)
        equal(header()?.top, -10)
        val places = list.children.filter { (it as? TextView)?.text in listOf("b0", "b1", "b2") }
        equal(places.map { listOf(it.left, it.top - places[0].top, it.width, it.height) }, listOf(
            listOf(0, 0, 375, 200), listOf(375, 0, 375, 100), listOf(375, 100, 375, 100)))
    }
    check("a section stays until the next one pushes it away, and headers stay below it") {
        fun section(id: String, count: Int, more: String, header: String = "") =
            "{\"id\":\"$id\",\"kind\":\"k\",\"index\":0,$header\"layout\":{\"style\":\"list\"," +
                "\"itemSize\":{\"width\":\"container\",\"height\":{\"points\":100}}$more},\"items\":[" +
                (0 until count).joinToString(",") { "{\"id\":\"$id$it\",\"kind\":\"cell\",\"content\":{}}" } + "]}"
        val stays = ",\"sticky\":true,\"background\":{\"color\":\"#FF0000\"}"
        val head = "\"header\":{\"id\":\"title\",\"kind\":\"title\",\"content\":{}},"
        val list = RecyclerView(Context())
        list.layout(0, 0, 750, 600)
        val adapter = PageAdapter(list, Ids)
        adapter.show(pageOf("\"locale\":\"en\",\"sortRule\":\"default\",\"sections\":[${section("a", 1, "")}," +
            "${section("b", 1, stays)},${section("c", 9, ",\"stickyHeader\":true", head)},${section("d", 1, stays)}," +
            "${section("e", 9, "")}]}"))
        fun top(text: String) = list.children.find { (it as? TextView)?.text == text }?.top
        equal(listOf(top("b0"), top("title")), listOf<Int?>(200, 400))
        list.scroll(900)
        equal(listOf(top("b0"), top("title")), listOf<Int?>(0, 200))
        val (above, behind) = list.children.takeLast(2).let { Pair(it[1], it[0]) }
        equal((above as TextView).text, "b0", "it is above all")
        equal(Pair(behind is BackdropView, behind.top), Pair(true, 0), "on its background")
        // The list ends at 2240 with its header, which is 40 high, and d begins.
        list.scroll(1200)
        equal(listOf(top("b0"), top("title"), top("d0")), listOf<Int?>(-60, 100, 140))
        list.scroll(300)
        equal(listOf(top("b0"), top("d0")), listOf<Int?>(null, 0))
    }
    check("lines are between rows, in what scrolls sideways too") {
        fun linesOf(style: String, list: RecyclerView): List<List<Int>> {
            val layout = "{\"style\":\"$style\",\"rowCount\":2,\"lineSpacing\":10,\"separator\":{\"color\":\"#FF0000\"," +
                "\"width\":2,\"leading\":30},\"itemSize\":{\"width\":{\"points\":200},\"height\":{\"points\":40}}}"
            PageAdapter(list, Ids).show(pageOf(
                "\"locale\":\"en\",\"sortRule\":\"default\",\"sections\":[{\"id\":\"s\",\"kind\":\"k\",\"index\":0," +
                    "\"layout\":$layout,\"items\":[" + (0 until 3).joinToString(",") {
                        "{\"id\":\"i$it\",\"kind\":\"cell\",\"content\":{}}"
                    } + "]}]}"))
            val shown = list.children.mapNotNull { it as? RecyclerView }.firstOrNull() ?: list
            return shown.children.filter { it is BackdropView }.map { listOf(it.left, it.top, it.width, it.height) }
        }
        fun list() = RecyclerView(Context()).also { it.layout(0, 0, 750, 400) }
        equal(linesOf("list", list()), listOf(listOf(60, 88, 690, 4), listOf(60, 188, 690, 4)))
        equal(linesOf("shelf", list()), listOf(listOf(60, 88, 340, 4)))
    }
    check("a background is drawn as the layout says, in both themes and directions") {
        val look = Json.members(Json.read(
            "{\"color\":{\"light\":\"#010203\",\"dark\":\"#0A0B0C80\"},\"cornerRadius\":{\"topLeading\":4,\"topTrailing\":2," +
                "\"bottomLeading\":0,\"bottomTrailing\":1},\"border\":{\"color\":\"#112233\",\"width\":1}," +
                "\"gradient\":{\"angle\":90,\"stops\":[{\"at\":0,\"color\":\"#000000\"},{\"at\":1,\"color\":\"#FFFFFF\"}]}," +
                "\"shadow\":{\"color\":\"#00000040\",\"radius\":6,\"x\":1,\"y\":2}}"))
        fun drawn(isDark: Boolean, isRightToLeft: Boolean) = Canvas().also {
            Backdrop(look, 2f, isDark, isRightToLeft).draw(it, 100f, 40f)
        }.drawn
        equal(drawn(false, false), listOf(
            "fill ff010203 shadow 6.0 2.0 4.0 40000000 [8.0, 4.0, 2.0, 0.0]",
            "gradient [0, 20, 100, 20] [ff000000, ffffffff] [0.0, 1.0] [8.0, 4.0, 2.0, 0.0]",
            "line 4.0 ff112233 [8.0, 4.0, 2.0, 0.0]"))
        equal(drawn(true, true).take(2), listOf(
            "fill 800a0b0c shadow 6.0 -2.0 4.0 40000000 [4.0, 8.0, 0.0, 2.0]",
            "gradient [100, 20, 0, 20] [ff000000, ffffffff] [0.0, 1.0] [4.0, 8.0, 0.0, 2.0]"))
        equal(Canvas().also { Backdrop(emptyMap(), 2f, false, false).draw(it, 9f, 9f) }.drawn, emptyList<String>())
    }
    check("the pictures of a page and a section are drawn behind them once they are here, as they fit") {
        val pictures = "{\"light\":{\"url\":\"/day\",\"fit\":\"contain\"},\"dark\":{\"url\":\"/night\"}}"
        fun drawn(image: String, isDark: Boolean) = Backdrop(Json.members(Json.read("{\"image\":$image}")), 2f, isDark, false).let {
            it.picture = Bitmap(50, 50)
            listOf(it.url(200)) + Canvas().also { canvas -> it.draw(canvas, 200f, 100f) }.drawn
        }
        equal(drawn(pictures, false), listOf("/day", "picture of 50 at [50.0, 0.0, 150.0, 100.0]"))
        equal(drawn(pictures, true), listOf("/night", "picture of 50 at [0.0, -50.0, 200.0, 150.0]"))
        equal(drawn("{\"url\":\"/wide\",\"fit\":\"stretch\"}", true), listOf("/wide", "picture of 50 at [0.0, 0.0, 200.0, 100.0]"))
        val sizes = "{\"url\":\"/most\",\"width\":900,\"sources\":[{\"url\":\"/least\",\"width\":90},{\"url\":\"/near\",\"width\":210}]}"
        equal(drawn(sizes, false).first(), "/near")
        val items = (0 until 20).joinToString(",") { "{\"id\":\"i$it\",\"kind\":\"cell\",\"content\":{}}" }
        val page = pageOf("\"locale\":\"en\",\"background\":{\"image\":$pictures},\"sortRule\":\"default\",\"sections\":[" +
            "{\"id\":\"a\",\"kind\":\"k\",\"index\":0,\"layout\":{\"style\":\"list\",\"background\":{\"image\":{\"url\":\"/a\"}}," +
            "\"itemSize\":{\"width\":\"container\",\"height\":{\"points\":100}}},\"items\":[$items]}]}")
        val list = RecyclerView(Context())
        Ids.asked.clear()
        list.layout(0, 0, 750, 400)
        PageAdapter(list, Ids).show(page)
        equal(Ids.asked.keys.toList(), listOf("/day", "/a"))
        fun behind() = list.children.takeWhile { it is BackdropView }
        equal(behind().map { listOf(it.top, it.width, it.height) }, listOf(listOf(0, 750, 400), listOf(0, 750, 4000)))
        list.scroll(1000)
        // The page's stays, behind all else.
        equal(behind().map { it.top }, listOf(0, -1000))
        val canvas = Canvas()
        behind()[0].onDraw(canvas)
        equal(canvas.drawn, emptyList<String>())
        Ids.asked["/day"]?.invoke(Bitmap(10, 10))
        behind()[0].onDraw(canvas)
        equal(canvas.drawn, listOf("picture of 10 at [175.0, 0.0, 575.0, 400.0]"))
        // As high as the list is now.
        list.layout(0, 0, 750, 900)
        equal(behind()[0].height, 900)
    }
}

private fun checkOffers() {
    fun item(id: String, vararg actions: String) =
        "{\"id\":\"$id\",\"kind\":\"cell\",\"actions\":[${actions.joinToString(",")}],\"content\":{}}"
    fun action(name: String, more: String = "") = "{\"title\":\"$name\",\"action\":{\"handler\":\"$name\"}$more}"
    val items = listOf(
        item("a", action("delete", ",\"role\":\"destructive\""), action("keep"), action("read", ",\"edge\":\"leading\"")),
        item("b", action("mute"), action("pin", ",\"edge\":\"leading\"")), item("c"))
    fun page(direction: String) = pageOf(
        "\"locale\":\"en\",\"direction\":\"$direction\",\"sortRule\":\"default\",\"sections\":[{\"id\":\"a\",\"kind\":\"k\"," +
            "\"index\":0,\"layout\":{\"style\":\"list\",\"itemSize\":{\"width\":\"container\",\"height\":{\"points\":50}}}," +
            "\"items\":[${items.joinToString(",")}]}]}")
    val list = RecyclerView(Context())
    val adapter = PageAdapter(list, Ids)
    list.layout(0, 0, 750, 400)
    adapter.show(page("leftToRight"))
    check("what an item offers is in a menu where it is pressed for long, and spoken") {
        Ids.performed.clear()
        PopupMenu.shown = null
        equal(list.children.map { it.performLongClick() }, listOf(true, true, false))
        equal(list.children[0].performLongClick(), true)
        val menu = PopupMenu.shown ?: throw AssertionError("no menu")
        equal(menu.menu.items.map { it.title.toString() }, listOf("delete", "keep", "read"))
        equal(menu.menu.items.map { each ->
            (each.title as SpannableString).spans.map { (it as ForegroundColorSpan).color }
        }, listOf(listOf(Color.RED), emptyList(), emptyList()))
        menu.choose(menu.menu.items[0])
        equal(list.children.map { it.spoken.keys.toList() }, listOf(
            listOf("delete", "keep", "read"), listOf("mute", "pin"), emptyList()))
        list.children[1].spoken["pin"]?.invoke()
        equal(Ids.performed, listOf("a delete", "b pin"))
        // A view that is used again offers what it shows now.
        val view = View(Context())
        val offers = Offers(view)
        for (shown in adapter.currentList) offers.show(shown.items[0], Ids::perform)
        equal(Triple(view.spoken.size, view.isLongClickable, view.performLongClick()), Triple(0, false, false))
    }
    check("a swipe does the first action of the side that it uncovers, unless that takes something away") {
        fun swiped(): List<String> {
            Ids.performed.clear()
            val taken = (0 until 3).map { at ->
                listOf(ItemTouchHelper.LEFT, ItemTouchHelper.RIGHT).count { list.swipe(at, it) }
            }
            equal(taken, listOf(1, 2, 0))
            return Ids.performed.toList()
        }
        equal(swiped(), listOf("a read", "b mute", "b pin"))
        adapter.show(page("rightToLeft"))
        equal(swiped(), listOf("a read", "b pin", "b mute"))
    }
}

private fun checkPersonal() {
    check("what an app brings for its user stands in the place of what the page shows instead") {
        val section = Section(Json.members(Json.read(
            "{\"id\":\"a\",\"kind\":\"k\",\"index\":0,\"source\":{\"url\":\"app://me\",\"fills\":[\"header\",\"slots\"]}," +
                "\"header\":{\"id\":\"head\",\"kind\":\"title\",\"content\":{\"text\":\"Hello\"}}," +
                "\"layout\":{\"style\":\"list\"},\"slots\":{\"left\":{\"id\":\"l\",\"kind\":\"k\"}}}")))
        equal(Pair(section.source?.url, section.source?.fills), Pair("app://me", listOf("header", "slots")))
        equal(section.fillsItems, false)
        fun item(id: String) = Item(mapOf("id" to id, "kind" to "k", "content" to mapOf("text" to id)))
        val filled = section.filled(header = item("own"), slots = mapOf("right" to item("r")))
        equal(Pair(filled.header?.text, filled.slots.mapValues { it.value.id }), Pair("own", mapOf("left" to "l", "right" to "r")))
        equal(Pair(section.filled(items = listOf(item("i"))).items.size, section.header?.text), Pair(1, "Hello"))
    }
}

private fun checkTabs() {
    check("tabs choose the list that shows, and stay while its items scroll") {
        fun item(id: String, list: String) = "{\"id\":\"$id\",\"kind\":\"cell\",\"lists\":[\"$list\"],\"content\":{}}"
        val items = (0 until 8).map { item("p$it", "popular") } + item("n0", "new")
        val rest = "\"locale\":\"en\",\"sortRule\":\"default\",\"sections\":[{\"id\":\"a\",\"kind\":\"k\",\"index\":0," +
            "\"header\":{\"id\":\"title\",\"kind\":\"title\",\"content\":{}},\"layout\":{\"style\":\"list\"," +
            "\"itemSize\":{\"width\":\"container\",\"height\":{\"points\":100}},\"stickyHeader\":true}," +
            "\"lists\":[{\"id\":\"popular\",\"title\":\"Popular\"},{\"id\":\"new\",\"title\":\"New\"}]," +
            "\"items\":[${items.joinToString(",")}]}]}"
        val version = hashOf("{\"page\":\"p\",$rest")
        val page = Page.read("{\"page\":\"p\",\"version\":\"$version\",$rest", "p")
        equal(page.isExact, true)
        val section = page.sections[0]
        equal(section.showing("new").items.map { it.id }, listOf("n0"))
        equal(section.showing("gone").items.size, 8)
        equal(section.tabs("new").map { Json.members(it.json["accessibility"])["traits"] }, listOf<Any?>(
            listOf("button"), listOf("button", "selected")))
        val list = RecyclerView(Context())
        val adapter = PageAdapter(list, Ids)
        list.layout(0, 0, 750, 400)
        adapter.show(page)
        fun tabs() = list.children.find { it is RecyclerView } as RecyclerView
        fun texts() = list.children.mapNotNull { (it as? TextView)?.text }
        equal(tabs().children.map { (it as TextView).text }, listOf("popular", "new"))
        equal(Pair(tabs().top, tabs().height), Pair(40, 88))
        equal(texts(), listOf("title", "p0", "p1"))
        list.scroll(400)
        // The tabs stay, and the header is gone.
        equal(Pair(tabs().top, "title" in texts()), Pair(0, false))
        adapter.choose("a", "new")
        equal("n0" in texts() && texts().none { it.startsWith("p") }, true, "${texts()}")
    }
}

/** Answers connections one after the other with bytes, and says what was asked. */
private fun answering(vararg answers: String, body: (String, List<String>) -> Unit) {
    ServerSocket(0, 10, java.net.InetAddress.getLoopbackAddress()).use { socket ->
        val asked = java.util.Collections.synchronizedList(ArrayList<String>())
        val thread = Thread {
            try {
                for (answer in answers) socket.accept().use { connection ->
                    val reader = connection.getInputStream().bufferedReader()
                    asked.add(generateSequence { reader.readLine() }.takeWhile { it != "" }.joinToString("\n"))
                    connection.getOutputStream().write(answer.toByteArray())
                }
            } catch (closed: IOException) {
                // The check is over.
            }
        }
        thread.start()
        body("http://127.0.0.1:${socket.localPort}", asked)
    }
}

private fun checkTransport() {
    fun send(url: String, signal: Signal = Signal(), seconds: Double = 5.0, follows: Boolean = true) =
        HttpTransport().send(PageRequest(url, mapOf("Hearth-Client-Key" to "k"), seconds, 1000, follows), signal)
    check("an answer of the platform's transport is whole or none") {
        val head = "HTTP/1.1 200 OK\r\nConnection: close\r\n"
        answering("${head}Hearth-Revision: 1.7\r\nContent-Length: 2\r\n\r\n{}") { url, asked ->
            val answer = send(url)
            equal(listOf(answer.status, answer["hearth-revision"], answer.body), listOf<Any?>(200, "1.7", "{}"))
            assert("Accept-Encoding: gzip" in asked[0])
        }
        answering("${head}Content-Length: 9\r\n\r\n{}") { url, _ -> fails<IOException>("cut") { send(url) } }
        answering("$head\r\n${"x".repeat(1001)}") { url, _ -> fails<hearth.client.TooLongException>("long") { send(url) } }
        answering("${head}Content-Encoding: br\r\n\r\n{}") { url, _ -> fails<IOException>("br") { send(url) } }
        answering("SSH-2.0-OpenSSH\r\n\r\n") { url, _ -> fails<IOException>("no HTTP") { send(url) } }
        fails<IOException>("nobody there") { send("http://127.0.0.1:1/") }
    }
    check("a client with a key follows no redirect") {
        val redirect = "HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: /elsewhere\r\n\r\n"
        answering(redirect, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n") { url, asked ->
            equal(send(url, follows = false).status, 302)
            equal(asked.size, 1)
        }
    }
    check("a server that says nothing is left after the time, or when a signal says so") {
        ServerSocket(0, 10, java.net.InetAddress.getLoopbackAddress()).use { socket ->
            val url = "http://127.0.0.1:${socket.localPort}/"
            fails<IOException>("late") { send(url, seconds = 0.1) }
            val signal = Signal()
            Thread {
                socket.accept()
                socket.accept()
                signal.raise()
            }.start()
            fails<IOException>("given up") { send(url, signal, seconds = 60.0) }
        }
    }
}

/** Follows a page, and says each state, until so many were shown. */
fun follow(server: String, file: File, count: Int) {
    val client = PageClient(PageSettings(server, parameters = tells, wait = 5), FileStorage(file))
    var seen = 0
    client.run { state ->
        println(Json.write(mapOf(
            "standing" to state.standing.name, "version" to state.page?.version,
            "first" to state.page?.sections?.first()?.id, "changes" to (state.update?.changes != null))))
        seen += 1
        if (seen == count) client.stop()
    }
}

/** Polls a server that does what it likes; the app is ended now and then, and starts again. */
fun pollHostile(server: String, seed: Long) {
    val random = Random(seed)
    val storage = Memory()
    val timing = Timing(pauseMin = 0.001, keepMin = 0.0)
    fun start() = PageClient(PageSettings(server, timeout = 0.15, bodyMax = 1 shl 20, timing = timing), storage)
    var client = start()
    for (poll in 1..150) {
        val kind = try {
            client.poll()
            null
        } catch (problem: PageException) {
            problem.kind.name
        }
        val kept = storage.text?.substringAfter('\n')
        val head = Json.members(kept?.let { Json.read(it.substringBefore('\n')) })
        println(Json.write(mapOf(
            "kind" to kind, "revision" to client.revision, "text" to client.page?.text, "kept" to head["revision"],
            "keptText" to kept?.substringAfter('\n'))))
        if (random.nextInt(10) == 0) client = start()
    }
}
