package hearth.client

/** Change sets: from one page to the next (docs/protocol.md, Changes). */
internal object Changes {
    /** The page after a change set; throws a [JsonException] for one that does not fit. */
    fun applied(page: Page, changes: Map<String, Any?>): Page {
        if (changes["page"] != page.id || changes["from"] != page.version) throw JsonException("changes of another page")
        val next = changed(page.json, changes)
        next["version"] = changes["to"] as? String ?: throw JsonException("changes without a version")
        next["sections"] = listAfter(page.json["sections"], changes["sections"], "section", "items")
        return Page(next)
    }

    private fun changed(json: Map<String, Any?>, update: Map<String, Any?>): LinkedHashMap<String, Any?> {
        val next = LinkedHashMap(json)
        next.putAll(Json.members(update["set"]))
        for (name in Json.elements(update["unset"])) next.remove(name)
        return next
    }

    private fun position(json: Any?): Int = (json as? Decimal)?.let {
        try { it.intValueExact() } catch (problem: ArithmeticException) { null }
    } ?: throw JsonException("a position is none")

    /**
     * @param inserted what an insert calls its element
     * @param own what an element calls its list
     */
    private fun listAfter(list: Any?, changes: Any?, inserted: String, own: String): List<Any?> {
        val resting = Json.elements(list).toMutableList()
        var count = resting.size
        val members = Json.members(changes)
        fun each(name: String) = Json.elements(members[name]).map { Json.members(it) }
        fun element(at: Int) =
            resting.getOrNull(at) ?: throw JsonException("the position $at is not there, or there twice")
        for (update in each("updates")) {
            val at = position(update["at"])
            val next = changed(Json.members(element(at)), update)
            if (own in update) {
                val inner = listAfter(next[own], update[own], "item", "children")
                if (inner.isEmpty()) next.remove(own) else next[own] = inner
            }
            resting[at] = next
        }
        val arriving = HashMap<Int, Any?>()
        fun arrive(at: Int, arrived: Any?) {
            if (arrived == null || arriving.put(at, arrived) != null) throw JsonException("the position $at is taken twice")
            count += 1
        }
        fun leave(at: Int): Any? = element(at).also {
            resting[at] = null
            count -= 1
        }
        for (at in Json.elements(members["deletes"])) leave(position(at))
        for (move in each("moves")) arrive(position(move["to"]), leave(position(move["from"])))
        for (insert in each("inserts")) arrive(position(insert["at"]), insert[inserted])
        if (arriving.keys.any { it < 0 || it >= count }) throw JsonException("a position beyond the list")
        val rest = resting.filter { it != null }.iterator()
        return (0 until count).map { arriving[it] ?: rest.next() }
    }

    /** What leads from one page to another, with the fewest moves, as the server finds it. */
    fun between(old: Page, next: Page): Map<String, Any?> =
        mapOf("page" to next.id, "from" to old.version, "to" to next.version) +
            membersBetween(old.json, next.json, setOf("page", "version", "sections")) +
            listBetween("sections", old.json["sections"], next.json["sections"], "section", "items")

    /** @param apart members that are told of otherwise */
    private fun membersBetween(old: Map<String, Any?>, next: Map<String, Any?>, apart: Set<String>): Map<String, Any?> {
        val set = next.filter { (name, value) -> name !in apart && (name !in old || old[name] != value) }
        val unset = old.keys.filter { it !in apart && it !in next }
        return (if (set.isEmpty()) emptyMap() else mapOf("set" to set)) +
            (if (unset.isEmpty()) emptyMap<String, Any?>() else mapOf("unset" to unset))
    }

    private fun listBetween(name: String, old: Any?, next: Any?, inserted: String, own: String): Map<String, Any?> {
        val before = Json.elements(old).map { Json.members(it) }
        val after = Json.elements(next).map { Json.members(it) }
        val places = LinkedHashMap<Any?, ArrayList<Int>>()
        before.forEachIndexed { at, element -> places.getOrPut(element["id"]) { ArrayList() }.add(at) }
        val inserts = ArrayList<Map<String, Any?>>()
        val kept = ArrayList<Pair<Int, Int>>()
        after.forEachIndexed { at, element ->
            val from = places[element["id"]]?.takeIf { it.isNotEmpty() }?.removeAt(0)
            if (from == null) inserts.add(mapOf("at" to at, inserted to element)) else kept.add(Pair(from, at))
        }
        val resting = longestRun(kept.map { it.first })
        val moves = kept.filterIndexed { place, _ -> place !in resting }
            .map { (from, to) -> mapOf("from" to from, "to" to to) }
        val updates = kept.sortedBy { it.first }.map { (from, to) ->
            mapOf("at" to from) + membersBetween(before[from], after[to], setOf(own)) +
                listBetween(own, before[from][own], after[to][own], "item", "children")
        }.filter { it.size > 1 }
        val deletes = places.values.flatten().sorted()
        val lists = mapOf("deletes" to deletes, "inserts" to inserts, "moves" to moves, "updates" to updates)
            .filter { it.value.isNotEmpty() }
        return if (lists.isEmpty()) emptyMap() else mapOf(name to lists)
    }

    /** The places of a longest increasing run, by patience sorting. */
    private fun longestRun(values: List<Int>): Set<Int> {
        val tops = ArrayList<Int>()
        val before = IntArray(values.size)
        values.forEachIndexed { place, value ->
            val found = tops.binarySearch { values[it].compareTo(value) }
            val at = if (found < 0) -found - 1 else found
            before[place] = tops.getOrElse(at - 1) { -1 }
            if (at < tops.size) tops[at] = place else tops.add(place)
        }
        return generateSequence(tops.lastOrNull()) { before[it].takeIf { place -> place >= 0 } }.toSet()
    }
}

/**
 * A page that came in the place of another.
 * @property old the page that was shown before; `null` at first
 * @property changes what leads from the one to the other, as a change set of docs/protocol.md; `null` at first
 */
class PageUpdate(val old: Page?, val page: Page, val changes: Map<String, Any?>?)
