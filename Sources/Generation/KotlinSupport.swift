/// What every generated Kotlin file holds, whatever the kinds are.
enum KotlinSupport {
  static let page = #"""

    /** What does not have the shape of its kind: where it is, and what is wrong. */
    data class Dropped(val pointer: String, val detail: String)

    /** Why JSON cannot be read. */
    class PayloadException(val pointer: String, val detail: String) : Exception("$pointer: $detail")

    /** A page whose sections and items have types. What these kinds do not name is kept, and written back. */
    data class Page(
        /** What crosses the wire beside the members below. */
        val rest: Map<String, Any?>,
        /** The sections, in the order to draw them. */
        val sections: List<Section>,
        /** What to show instead when there are no sections. */
        val emptyState: Item?,
        /** What was left out because it does not have the shape of its kind. */
        val dropped: List<Dropped>
    ) {
        /** The page's id: `home`. */
        val id: String get() = rest["page"] as String
        /** The opaque part of its entity tag. */
        val version: String? get() = rest["version"] as? String
        /** The locale that it was resolved for. */
        val locale: String? get() = rest["locale"] as? String

        /** The page as it crosses the wire. */
        fun toJson(): Map<String, Any?> = rest.changed {
            put("sections", sections.map { it.toJson() })
            put("emptyState", emptyState?.toJson())
        }

        companion object {
            /** Reads what a poll answers; throws a PayloadException when it is no page. */
            fun parse(text: String): Page = read(JsonText.parse(text))

            /** The types of a page; an item without the shape of its kind is left out, and named in `dropped`. */
            fun read(json: Any?): Page {
                val page = readMembers(json, "")
                readText(page["page"], "/page")
                val dropped = mutableListOf<Dropped>()
                val sections = readArray(page["sections"], "/sections").withIndex().mapNotNull { (position, section) ->
                    try {
                        Section.read(section, "/sections/$position", dropped)
                    } catch (problem: PayloadException) {
                        dropped.add(Dropped(problem.pointer, problem.detail))
                        null
                    }
                }
                val emptyState = Item.one(page["emptyState"], "/emptyState", dropped)
                return Page(page.changed { listOf("sections", "emptyState").forEach { remove(it) } }, sections, emptyState, dropped)
            }
        }
    }

    /** What a tap does. */
    data class Action(val json: Map<*, *>) {
        /** Where it leads. */
        val url: String? get() = json["url"] as? String
        /** The name of a handler in the app. */
        val handler: String? get() = json["handler"] as? String
        /** What the handler is given. */
        val arguments: Map<*, *>? get() = json["arguments"] as? Map<*, *>
        /** The name of the tracking event. */
        val event: String? get() = json["event"] as? String
        /** The attributes of the tracking event. */
        val attributes: Map<*, *>? get() = json["attributes"] as? Map<*, *>
    }

    /** One of several things that an item offers beside its tap, by a swipe or in a menu. */
    data class ItemAction(val json: Map<*, *>) {
        /** What it is called, in the page's language. */
        val title: String get() = json["title"] as? String ?: ""
        /** What it does. */
        val action: Action get() = Action(json["action"] as? Map<*, *> ?: emptyMap<Any, Any>())
        /** Whether it stands where reading begins; else where it ends. */
        val isLeading: Boolean get() = json["edge"] == "leading"
        /** Whether it takes something away. */
        val isDestructive: Boolean get() = json["role"] == "destructive"
    }

    /** One of several lists that share a section. */
    data class NamedList(val json: Map<*, *>) {
        /** What items name it by. */
        val id: String get() = json["id"] as? String ?: ""
        /** What its tab says, in the page's language. */
        val title: String get() = json["title"] as? String ?: ""
    }
    """#

  static let item = #"""
    /** What crosses the wire beside the members below. */
    abstract val rest: Map<String, Any?>
    /** The items below this one in an outline. */
    abstract val children: List<Item>
    /** The item's id, unique in its section. */
    val id: String get() = rest["id"] as String
    /** What a tap does. */
    val action: Action? get() = (rest["action"] as? Map<*, *>)?.let { Action(it) }
    /** What it offers beside that, the first of a side at the edge. */
    val actions: List<ItemAction>
        get() = (rest["actions"] as? List<*> ?: emptyList<Any?>()).mapNotNull { (it as? Map<*, *>)?.let(::ItemAction) }
    /** The ids of the section's lists that it is in; empty for all of them. */
    val lists: List<String> get() = (rest["lists"] as? List<*> ?: emptyList<Any?>()).mapNotNull { it as? String }
    /** Width divided by height, when the size can be computed before the cell exists. */
    val aspect: BigDecimal? get() = rest["aspect"] as? BigDecimal
    /** Whether the children show at first. */
    val expanded: Boolean? get() = rest["expanded"] as? Boolean

    /** The item as it crosses the wire. */
    abstract fun toJson(): Map<String, Any?>

    protected fun json(content: Any?): Map<String, Any?> = rest.changed {
        put("content", content)
        put("children", children.map { it.toJson() }.takeIf { it.isNotEmpty() })
    }
    """#

  static let readingItems = #"""

        internal fun one(json: Any?, at: String, dropped: MutableList<Dropped>): Item? =
            if (json == null) null else read(json, at, dropped)

        internal fun all(json: Any?, at: String, dropped: MutableList<Dropped>): List<Item> =
            readArray(json ?: emptyList<Any?>(), at).withIndex().mapNotNull { (position, item) ->
                read(item, "$at/$position", dropped)
            }

        private fun rest(item: Map<String, Any?>): Map<String, Any?> =
            item.changed { listOf("content", "children").forEach { remove(it) } }
    }
    """#

  static let reading = #"""

    private typealias Read<T> = (Any?, String) -> T

    private class Changes(from: Map<String, Any?>) {
        val _all = LinkedHashMap(from)
        fun put(name: String, value: Any?, keepsNull: Boolean = false) { if (value != null || keepsNull) _all[name] = value }
        fun replace(name: String, value: Any?) { if (value != null) _all[name] = value else _all.remove(name) }
        fun remove(name: String) { _all.remove(name) }
    }

    private fun Map<String, Any?>.changed(change: Changes.() -> Unit): Map<String, Any?> = Changes(this).apply(change)._all

    /** Reads the members of an object; those that nobody asks for are unknown. */
    private class Members(json: Any?, private val at: String) {
        private val left = LinkedHashMap(readMembers(json, at))
        val unknown: Map<String, Any?> get() = left

        fun <T> required(name: String, read: Read<T>): T {
            if (!left.containsKey(name)) throw PayloadException(place(at, name), "is required")
            return read(left[name], place(at, name)).also { left.remove(name) }
        }

        fun <T> optional(name: String, keepsNull: Boolean, read: Read<T>): T? {
            if (!left.containsKey(name) || (keepsNull && left[name] == null)) return null
            return read(left[name], place(at, name)).also { left.remove(name) }
        }
    }

    private fun place(at: String, name: String): String = "$at/" + name.replace("~", "~0").replace("/", "~1")

    private fun <T> expected(value: T?, at: String, what: String): T =
        value ?: throw PayloadException(at, "must be $what")

    @Suppress("UNCHECKED_CAST")
    private fun readMembers(json: Any?, at: String): Map<String, Any?> =
        expected(json as? Map<String, Any?>, at, "an object")

    private fun readArray(json: Any?, at: String): List<Any?> = expected(json as? List<Any?>, at, "an array")

    @Suppress("UNUSED_PARAMETER")
    private fun readAny(json: Any?, at: String): Any? = json
    private fun readText(json: Any?, at: String): String = expected(json as? String, at, "a string")
    private fun readFlag(json: Any?, at: String): Boolean = expected(json as? Boolean, at, "true or false")
    private fun readNumber(json: Any?, at: String): BigDecimal = expected(json as? BigDecimal, at, "a number")
    private fun readWhole(json: Any?, at: String): BigDecimal =
        expected((json as? BigDecimal)?.takeIf { it.signum() == 0 || it.stripTrailingZeros().scale() <= 0 }, at, "a whole number")

    private fun readLong(json: Any?, at: String): Long =
        try { readNumber(json, at).longValueExact() } catch (problem: ArithmeticException) { expected(null, at, "a whole number that fits") }

    private fun readInt(json: Any?, at: String): Int =
        try { readNumber(json, at).intValueExact() } catch (problem: ArithmeticException) { expected(null, at, "a whole number that fits") }

    private fun <T : Any> readNullable(read: Read<T>): Read<T?> = { json, at -> if (json == null) null else read(json, at) }

    private fun <T> readList(read: Read<T>): Read<List<T>> =
        { json, at -> readArray(json, at).mapIndexed { position, element -> read(element, "$at/$position") } }

    private fun <T> readMap(read: Read<T>): Read<Map<String, T>> =
        { json, at -> readMembers(json, at).mapValues { (name, value) -> read(value, place(at, name)) } }

    /** JSON whose numbers keep their digits. */
    object JsonText {
        /** Reads strict JSON (RFC 8259); throws a PayloadException. */
        fun parse(text: String): Any? = Parser(text).document()

        /** Writes JSON. */
        fun write(json: Any?): String = StringBuilder().also { write(json, it) }.toString()

        private fun write(json: Any?, out: StringBuilder) {
            when (json) {
                is String -> writeText(json, out)
                is Map<*, *> -> {
                    out.append('{')
                    json.entries.forEachIndexed { position, member ->
                        if (position > 0) out.append(',')
                        writeText(member.key as String, out)
                        out.append(':')
                        write(member.value, out)
                    }
                    out.append('}')
                }
                is List<*> -> {
                    out.append('[')
                    json.forEachIndexed { position, element ->
                        if (position > 0) out.append(',')
                        write(element, out)
                    }
                    out.append(']')
                }
                else -> out.append(json.toString())
            }
        }

        private fun writeText(text: String, out: StringBuilder) {
            out.append('"')
            for (unit in text) {
                when {
                    unit == '"' || unit == '\\' -> out.append('\\').append(unit)
                    unit < ' ' -> out.append(String.format("\\u%04x", unit - '\u0000'))
                    else -> out.append(unit)
                }
            }
            out.append('"')
        }

        private class Parser(private val text: String) {
            private var position = 0
            private var depth = 0

            fun document(): Any? {
                val value = value()
                skip()
                return if (position == text.length) value else fail("the end")
            }

            private fun fail(what: String): Nothing = throw PayloadException("", "$what is expected at $position")

            private fun skip() { while (position < text.length && text[position] in " \t\r\n") position++ }

            private fun take(unit: Char): Boolean {
                skip()
                if (position == text.length || text[position] != unit) return false
                position++
                return true
            }

            private fun value(): Any? {
                skip()
                if (++depth > 64) fail("less depth")
                val value: Any? = when {
                    take('{') -> members()
                    take('[') -> elements()
                    take('"') -> string()
                    word("true") -> true
                    word("false") -> false
                    word("null") -> null
                    else -> number()
                }
                depth--
                return value
            }

            private fun word(word: String): Boolean {
                if (!text.startsWith(word, position)) return false
                position += word.length
                return true
            }

            private fun members(): Map<String, Any?> {
                val members = LinkedHashMap<String, Any?>()
                if (take('}')) return members
                do {
                    if (!take('"')) fail("a name")
                    val name = string()
                    if (!take(':')) fail("':'")
                    members[name] = value()
                } while (take(','))
                return if (take('}')) members else fail("'}'")
            }

            private fun elements(): List<Any?> {
                val elements = ArrayList<Any?>()
                if (take(']')) return elements
                do elements.add(value()) while (take(','))
                return if (take(']')) elements else fail("']'")
            }

            private fun string(): String {
                val out = StringBuilder()
                while (position < text.length) {
                    val unit = text[position++]
                    when {
                        unit == '"' -> return out.toString()
                        unit < ' ' -> fail("an escape")
                        unit == '\\' -> out.append(escape())
                        else -> out.append(unit)
                    }
                }
                fail("a quote")
            }

            private fun escape(): Char {
                if (position == text.length) fail("an escape")
                return when (val unit = text[position++]) {
                    '"', '\\', '/' -> unit
                    'b' -> '\b'
                    'f' -> '\u000C'
                    'n' -> '\n'
                    'r' -> '\r'
                    't' -> '\t'
                    'u' -> {
                        val digits = text.substring(position, minOf(position + 4, text.length))
                        if (digits.length < 4 || !digits.all { it in "0123456789abcdefABCDEF" }) fail("four digits")
                        position += 4
                        digits.toInt(16).toChar()
                    }
                    else -> fail("an escape")
                }
            }

            private fun number(): BigDecimal {
                val found = Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]{1,5})?").find(text, position)
                if (found == null || found.range.first != position) fail("a value")
                position = found.range.last + 1
                return BigDecimal(found.value)
            }
        }
    }
    """#
}
