package hearth.client

import java.math.BigDecimal

/** A number as the server wrote it: as text it is what it was, and it counts as its value. */
class Decimal(private val text: String) : BigDecimal(text) {
    override fun toString(): String = text
    override fun toByte(): Byte = toInt().toByte()
    override fun toShort(): Short = toInt().toShort()
    override fun toChar(): Char = toInt().toChar()
}

/** Why a text cannot be read as JSON. */
class JsonException(detail: String) : Exception(detail)

/**
 * JSON as maps, lists, strings, booleans, `null` and [Decimal]s: what the types of `hearth generate kotlin` read, too.
 * Android has org.json, which loses the digits of numbers and the order of members.
 */
object Json {
    /** The deepest nesting of arrays and objects, as on the server. */
    private const val depthMax = 64

    /** Reads strict JSON (RFC 8259); throws a [JsonException]. */
    fun read(text: String): Any? = Reader(text).document()

    /** The members of an object; none of what is no object. */
    @Suppress("UNCHECKED_CAST")
    fun members(json: Any?): Map<String, Any?> = json as? Map<String, Any?> ?: emptyMap()

    /** The elements of an array; none of what is no array. */
    fun elements(json: Any?): List<Any?> = json as? List<*> ?: emptyList<Any?>()

    /**
     * Writes JSON byte for byte as the server does.
     * @param shape the members of objects in their order; without one, members stand in the order of their bytes
     */
    fun write(json: Any?, shape: Shape? = null): String = StringBuilder().also { write(json, shape, it) }.toString()

    private fun write(json: Any?, shape: Shape?, out: StringBuilder) {
        when (json) {
            is String -> quote(json, out)
            is Map<*, *> -> {
                val members = members(json)
                out.append('{')
                namesOf(members, shape).forEachIndexed { place, name ->
                    if (place > 0) out.append(',')
                    quote(name, out)
                    out.append(':')
                    write(members[name], shape?.of(name), out)
                }
                out.append('}')
            }
            is List<*> -> {
                out.append('[')
                json.forEachIndexed { place, element ->
                    if (place > 0) out.append(',')
                    write(element, shape, out)
                }
                out.append(']')
            }
            else -> out.append(json.toString())
        }
    }

    private fun quote(text: String, out: StringBuilder) {
        out.append('"')
        for (unit in text) {
            when {
                unit == '"' || unit == '\\' -> out.append('\\').append(unit)
                unit >= ' ' -> out.append(unit)
                unit in "\b\t\n\u000C\r" -> out.append('\\').append("btnfr"["\b\t\n\u000C\r".indexOf(unit)])
                else -> out.append(String.format("\\u%04x", unit - '\u0000'))
            }
        }
        out.append('"')
    }

    /** What a newer server may add stays where it stands, as its place is not known. */
    private fun namesOf(members: Map<String, Any?>, shape: Shape?): Collection<String> {
        if (shape == null || shape.each != null) return sorted(members.keys)
        val places = members.keys.map { shape.placeOf(it) }
        val isOrdered = (1 until places.size).all { places[it - 1] < places[it] }
        return if (isOrdered || -1 in places) members.keys else members.keys.sortedBy { shape.placeOf(it) }
    }

    private fun sorted(names: Set<String>): Collection<String> {
        var last: String? = null
        val isSorted = names.all { name -> (last == null || byBytes.compare(last, name) < 0).also { last = name } }
        return if (isSorted) names else names.sortedWith(byBytes)
    }

    /** The order of the names' UTF-8 bytes: that of UTF-16 but for surrogates, which come last. */
    private val byBytes = Comparator<String> { one, other ->
        val at = (0 until minOf(one.length, other.length)).firstOrNull { one[it] != other[it] }
        if (at == null) one.length - other.length else weight(one[at]) - weight(other[at])
    }

    private fun weight(unit: Char): Int = (unit - '\u0000') + if (unit in '\ud800'..'\udfff') 0x10000 else 0

    private class Reader(private val text: String) {
        private var at = 0
        private var depth = 0

        fun document(): Any? = value().also {
            skip()
            if (at < text.length) fail("the end")
        }

        private fun fail(what: String): Nothing = throw JsonException("$what is expected at $at")

        private fun skip() { while (at < text.length && text[at] in " \t\r\n") at++ }

        private fun take(unit: Char): Boolean {
            skip()
            return (at < text.length && text[at] == unit).also { if (it) at++ }
        }

        private fun need(unit: Char) { if (!take(unit)) fail("'$unit'") }

        private fun word(word: String): Boolean = text.startsWith(word, at).also { if (it) at += word.length }

        private fun value(): Any? {
            if (++depth > depthMax) fail("less depth")
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

        private fun members(): Map<String, Any?> {
            val members = LinkedHashMap<String, Any?>()
            if (take('}')) return members
            do {
                need('"')
                val name = string()
                need(':')
                members[name] = value()
            } while (take(','))
            need('}')
            return members
        }

        private fun elements(): List<Any?> {
            val elements = ArrayList<Any?>()
            if (take(']')) return elements
            do elements.add(value()) while (take(','))
            need(']')
            return elements
        }

        private fun string(): String {
            val start = at
            while (at < text.length && text[at] >= ' ' && text[at] != '"' && text[at] != '\\') at++
            // Most have no escape.
            val out = StringBuilder().append(text, start, at)
            while (at < text.length) {
                val unit = text[at++]
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
            val unit = if (at < text.length) text[at++] else fail("an escape")
            if (unit == 'u') {
                val digits = text.substring(at, minOf(at + 4, text.length))
                if (!digits.matches(hexadecimal)) fail("four digits")
                at += 4
                return Integer.parseInt(digits, 16).toChar()
            }
            val place = "\"\\/bfnrt".indexOf(unit)
            return if (place < 0) fail("an escape") else "\"\\/\b\u000C\n\r\t"[place]
        }

        private fun number(): Decimal {
            val start = at
            while (at < text.length && (text[at] in '0'..'9' || text[at] in "+-.eE")) at++
            val found = text.substring(start, at)
            return if (found.matches(numeral)) Decimal(found) else fail("a value")
        }
    }

    private val hexadecimal = Regex("[0-9a-fA-F]{4}")
    /** Longer exponents are no server's, and cost time without end. */
    private val numeral = Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]{1,5})?")
}

/** The members of an object in the order of the wire, each with the shape of its value; `each` for any names. */
class Shape(vararg members: Pair<String, Shape?>, val each: Shape? = null) {
    private val shapes = HashMap<String, Shape?>()
    private val places = HashMap<String, Int>()

    init { for ((name, shape) in members) add(name, shape) }

    internal fun add(name: String, shape: Shape?) {
        places[name] = places.size
        shapes[name] = shape
    }

    internal fun placeOf(name: String): Int = places[name] ?: -1
    internal fun of(name: String): Shape? = each ?: if (name in places) shapes[name] else unknown

    private companion object {
        /** What is not known here keeps its order. */
        val unknown = Shape()
    }
}
