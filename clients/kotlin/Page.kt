package hearth.client

import java.security.MessageDigest

/** A page as it crosses the wire. Types of contents read its [json]: `hearth.kinds.Page.read(page.json)`. */
class Page(val json: Map<String, Any?>) {
    /** The page's id: `home`. */
    val id: String get() = json["page"] as String
    /** The opaque part of its entity tag. */
    val version: String get() = json["version"] as String
    /** The locale that it was resolved for. */
    val locale: String? get() = json["locale"] as? String
    /** Whether it is read from right to left. */
    val isRightToLeft: Boolean get() = json["direction"] == "rightToLeft"
    /** What stands around the sections. */
    val inset: Inset get() = Inset(json["inset"])
    /** The sections, in the order to draw them. */
    val sections: List<Section> = Json.elements(json["sections"]).map { Section(Json.members(it)) }
    /** What to show instead when there are no sections. */
    val emptyState: Item? get() = json["emptyState"]?.let { Item(Json.members(it)) }

    /** The page, byte for byte as the server wrote it. */
    val text: String get() = Json.write(json, pageShape)
    /** Whether it can be written as the server wrote it, so that changes of it can be checked. */
    val isExact: Boolean by lazy { isOf(text) }

    private fun isOf(text: String): Boolean {
        val head = "{\"page\":${Json.write(id)}"
        val whole = "$head,\"version\":\"$version\""
        return text.startsWith(whole) && hashOf(head + text.substring(whole.length)) == version
    }

    override fun equals(other: Any?): Boolean = other is Page && json == other.json
    override fun hashCode(): Int = version.hashCode()
    override fun toString(): String = text

    companion object {
        /** Reads a page and checks its hash; throws a [JsonException] when it is none, or not of this id. */
        fun read(text: String, id: String): Page {
            val json = Json.members(Json.read(text))
            if (json["page"] !is String || json["version"] !is String || json["sections"] !is List<*>) {
                throw JsonException("it is no page")
            }
            val page = Page(json)
            if (page.id != id) throw JsonException("it is the page ${page.id}")
            if (!page.isOf(text)) throw JsonException("it does not agree with its hash")
            return page
        }
    }
}

/** Room around something, in points. */
class Inset(json: Any?) {
    private val members = Json.members(json)
    val top: Double get() = side("top")
    val leading: Double get() = side("leading")
    val bottom: Double get() = side("bottom")
    val trailing: Double get() = side("trailing")
    private fun side(name: String) = (members[name] as? Number)?.toDouble() ?: 0.0
}

/** A section as it crosses the wire; of a typed one, `Section(section.toJson())`. */
class Section(val json: Map<String, Any?>) {
    /** The section's id, unique in its page. */
    val id: String get() = json["id"] as? String ?: ""
    val kind: String get() = json["kind"] as? String ?: ""
    /** How the items are laid out and sized. */
    val layout: Map<String, Any?> get() = Json.members(json["layout"])
    val header: Item? get() = item("header")
    /** Two lists or more that share the section: tabs choose which one shows. */
    val lists: List<NamedList> = Json.elements(json["lists"]).map { NamedList(Json.members(it)) }
    /** The items in the order to draw them, those of a long list that stand in the page. */
    val items: List<Item> = Json.elements(json["items"]).map { Item(Json.members(it)) }
    /** Single items by the names of their places. */
    val slots: Map<String, Item> get() = Json.members(json["slots"]).mapValues { Item(Json.members(it.value)) }
    /** The names of the slots in the order that the layout says, then the others in that of their names. */
    val slotNames: List<String>
        get() {
            val names = Json.members(json["slots"]).keys
            return Json.elements(layout["slotOrder"]).mapNotNull { it as? String }.filter { it in names }.union(names.sorted())
                .toList()
        }
    val footer: Item? get() = item("footer")
    /** Where the app gets what is its user's of the section; what stands here is what to show instead. */
    val source: Source? get() = json["source"]?.let { Source(Json.members(it)) }
    /** Whether that is also where the items come from. */
    val fillsItems: Boolean get() = json["load"] == "client"

    private fun item(name: String): Item? = json[name]?.let { Item(Json.members(it)) }

    /** The section with these items instead: those of [PageClient.items]. */
    fun with(items: List<Item>): Section = Section(json + ("items" to items.map { it.json }))

    /**
     * The section with what the app brings for its user in the place of what the page shows instead. Slots that it does not
     * bring stay.
     */
    fun filled(
        header: Item? = null, items: List<Item>? = null, slots: Map<String, Item> = emptyMap(), footer: Item? = null
    ): Section = Section(json + listOfNotNull(
        header?.let { "header" to it.json }, items?.let { "items" to it.map { item -> item.json } },
        "slots" to Json.members(json["slots"]) + slots.mapValues { it.value.json }, footer?.let { "footer" to it.json }))

    /** The list that shows: the chosen one, or the first where nobody chose or the choice is gone. */
    fun list(choice: String?): NamedList? = lists.find { it.id == choice } ?: lists.firstOrNull()

    /** The section with the items of one list alone: of the chosen one, or of the first; without lists what it was. */
    fun showing(choice: String?): Section {
        val list = list(choice) ?: return this
        return with(items.filter { it.lists.isEmpty() || list.id in it.lists })
    }

    /**
     * The tabs that choose one of the lists, as items of the kind `/tabs` for what draws items: each has the list's `title`
     * and the id of its `section`, and the trait `selected` where its list shows.
     */
    fun tabs(choice: String?): List<Item> = lists.map {
        val traits = if (it.id == list(choice)?.id) listOf("button", "selected") else listOf("button")
        Item(mapOf(
            "id" to it.id, "kind" to "/tabs", "content" to mapOf("title" to it.title, "section" to id),
            "accessibility" to mapOf("label" to it.title, "traits" to traits)))
    }

    override fun equals(other: Any?): Boolean = other is Section && json == other.json
    override fun hashCode(): Int = id.hashCode()
}

/** Where an app gets what is its user's of a section. */
class Source(json: Map<String, Any?>) {
    /** What the app asks; how it asks, and what it is answered, is between the two. */
    val url: String = json["url"] as? String ?: ""
    /** What it gets there beside the items: `header`, `slots`, `footer`; a newer server may name others. */
    val fills: List<String> = Json.elements(json["fills"]).mapNotNull { it as? String }
}

/** One of the lists that share a section, with what its tab says. */
class NamedList(json: Map<String, Any?>) {
    /** The list's id, unique in its section. */
    val id: String = json["id"] as? String ?: ""
    val title: String = json["title"] as? String ?: id
}

/** An item as it crosses the wire; of a typed one, `Item(item.toJson())`. */
class Item(val json: Map<String, Any?>) {
    /** The item's id, unique in its section. */
    val id: String get() = json["id"] as? String ?: ""
    val kind: String get() = json["kind"] as? String ?: ""
    /** The ids of the section's lists that it is in; all of them when empty. */
    val lists: List<String> get() = Json.elements(json["lists"]).mapNotNull { it as? String }
    /** What the cell shows. */
    val content: Map<String, Any?> get() = Json.members(json["content"])
    /** What a tap does. */
    val action: Map<String, Any?>? get() = json["action"]?.let { Json.members(it) }
    /** What it offers beside that, by a swipe or in a menu, the first at the edge. */
    val actions: List<ItemAction> get() = Json.elements(json["actions"]).map { ItemAction(Json.members(it)) }
    /** Whether the children show at first. */
    val expanded: Boolean get() = json["expanded"] == true
    /** The items below this one in an outline. */
    val children: List<Item> get() = Json.elements(json["children"]).map { Item(Json.members(it)) }
    /** The first text of the content, for a start; of one that has none, what it is called for those who cannot see it. */
    val text: String
        get() = (listOf("title", "text", "name", "label").map { content[it] } + content.values
            + Json.members(json["accessibility"])["label"]).mapNotNull { it as? String }.firstOrNull { it != "" } ?: kind

    override fun equals(other: Any?): Boolean = other is Item && json == other.json
    override fun hashCode(): Int = id.hashCode()
}

/** One of several things that an item offers beside its tap. */
class ItemAction(val json: Map<String, Any?>) {
    /** What it is called, in the page's language. */
    val title: String get() = json["title"] as? String ?: ""
    /** What it does. */
    val action: Map<String, Any?> get() = Json.members(json["action"])
    /** Whether it stands where reading begins; else where it ends. */
    val isLeading: Boolean get() = json["edge"] == "leading"
    /** Whether it takes something away. */
    val isDestructive: Boolean get() = json["role"] == "destructive"

    override fun equals(other: Any?): Boolean = other is ItemAction && json == other.json
    override fun hashCode(): Int = title.hashCode()
}

/** The hundredth of all devices that this one is in; no id leaves the device. */
object Bucket {
    /**
     * The bucket of a device, 0 to 99, the same on every platform.
     * @param salt what deals the buckets anew, such as a season's name
     */
    fun of(deviceID: String, salt: String = ""): Int {
        val id = deviceID.map { if (it in 'A'..'Z') it + 32 else it }.joinToString("")
        val bytes = sha256(if (salt == "") id else "$salt:$id")
        return bytes.take(8).fold(0) { rest, byte -> (rest * 256 + (byte.toInt() and 255)) % 100 }
    }
}

internal fun sha256(text: String): ByteArray = MessageDigest.getInstance("SHA-256").digest(text.toByteArray())
internal fun hexadecimal(bytes: ByteArray): String =
    bytes.joinToString("") { "0123456789abcdef".run { "${get(it.toInt() shr 4 and 15)}${get(it.toInt() and 15)}" } }
/** The first sixteen digits of a text's SHA-256. */
internal fun hashOf(text: String): String = hexadecimal(sha256(text).copyOf(8))

private fun plain(vararg names: String) = names.map { it to null as Shape? }.toTypedArray()

private val insetShape = Shape(*plain("top", "leading", "bottom", "trailing"))
private val boundShape = Shape(*plain("fraction", "of"))
private val extentShape = Shape(
    "aspect" to null, "content" to Shape(*plain("lines", "minimum", "maximum")), "fraction" to null,
    "maximum" to boundShape, "minimum" to boundShape, *plain("of", "points"))
private val sizeShape = Shape("width" to extentShape, "height" to extentShape)
private val colorShape = Shape(*plain("light", "dark"), "highContrast" to Shape(*plain("light", "dark")))
private val pictureMembers: Array<Pair<String, Shape?>> =
    arrayOf("fit" to null, "sources" to Shape(*plain("url", "width")), *plain("url", "width"))
private val pictureShape = Shape(*pictureMembers)
private val backgroundShape = Shape(
    "color" to colorShape,
    "cornerRadius" to Shape(*plain("topLeading", "topTrailing", "bottomLeading", "bottomTrailing")),
    "gradient" to Shape("angle" to null, "stops" to Shape("at" to null, "color" to colorShape)),
    "image" to Shape("light" to pictureShape, "dark" to pictureShape, *pictureMembers),
    "border" to Shape("color" to colorShape, "width" to null),
    "shadow" to Shape("color" to colorShape, *plain("radius", "x", "y")))
private val actionShape = Shape(*plain("url", "handler", "arguments", "event", "attributes"))
private val itemShape = Shape(
    *plain("id", "kind", "lists", "content", "aspect"), "inset" to insetShape, "action" to actionShape,
    "actions" to Shape("title" to null, "action" to actionShape, *plain("edge", "role")),
    "accessibility" to Shape(*plain("label", "hint", "traits", "hidden")), "expanded" to null
).apply { add("children", this) }
private val layoutShape = Shape(
    *plain("style", "rows", "rowCount"), "columns" to Shape(*plain("minimum")), "alignment" to null,
    "peek" to Shape(*plain("leading", "trailing")), "paging" to null, "inset" to insetShape,
    *plain("itemSpacing", "lineSpacing"), "separator" to Shape("color" to colorShape, *plain("width", "leading", "trailing")),
    "group" to null, "itemSize" to sizeShape, "headerSize" to sizeShape,
    "footerSize" to sizeShape, "slotOrder" to null, "slotSizes" to Shape(each = sizeShape),
    *plain("stickyHeader", "sticky"), "background" to backgroundShape, "backgroundFrame" to null)
private val sectionShape = Shape(
    *plain("id", "kind", "index", "position", "load"), "source" to Shape(*plain("url", "fills")), "pollInterval" to null,
    "header" to itemShape, "layout" to layoutShape, "lists" to Shape(*plain("id", "title")), "items" to itemShape,
    "more" to Shape(*plain("href", "count", "of")), "slots" to Shape(each = itemShape), "footer" to itemShape)
/** Every member in the order of the wire, as HomePayload describes it. */
private val pageShape = Shape(
    *plain("page", "version", "locale", "direction", "sortRule", "title"), "inset" to insetShape,
    "background" to backgroundShape, "bar" to Shape("leading" to itemShape, "trailing" to itemShape),
    "sections" to sectionShape, "emptyState" to itemShape)
