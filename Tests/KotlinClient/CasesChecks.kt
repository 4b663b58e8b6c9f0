// The cases of Tests/ClientCases, as Tests/TypeScriptClient/cases.test.mjs runs them.

import hearth.client.Clock
import hearth.client.Json
import hearth.client.Page
import hearth.client.PageAnswer
import hearth.client.PageClient
import hearth.client.PageRequest
import hearth.client.PageSettings
import hearth.client.PageStorage
import hearth.client.Signal
import hearth.client.Signatures
import hearth.client.Transport
import java.io.File
import java.io.IOException
import java.security.MessageDigest

typealias Members = Map<String, Any?>

private val documents = java.util.concurrent.ConcurrentHashMap<String, String>()
fun documentOf(name: Any?): String = documents.getOrPut("$name") { textOf("ClientCases/documents/$name.json") }
fun Members.members(name: String) = Json.members(this[name])
fun Members.all(name: String) = Json.elements(this[name]).map { Json.members(it) }
fun Members.int(name: String): Int? = (this[name] as? Number)?.toInt()

private val tags = HashMap<Any?, String>()
private fun tagOf(name: Any?) = tags.getOrPut(name) {
    Json.members(Json.read(documentOf(name))).let { "W/\"${it["to"] ?: it["version"]}\"" }
}
private val known by lazy {
    listOf("first", "second", "third", "empty", "newer", "newer-next").associateBy { tagOf(it) }
}

/** What an app would have kept of a document. */
fun recordOf(name: Any?, revision: Any?, since: Long = 0): String {
    val version = Json.members(Json.read(documentOf(name)))["version"]
    val head = mapOf(
        "url" to "https://home.example.com/v1/pages/home", "revision" to revision, "since" to since, "version" to version)
    val line = Json.write(head)
    val digest = MessageDigest.getInstance("SHA-256").digest(line.toByteArray())
    val seal = digest.take(8).joinToString("") { String.format("%02x", it) }
    return "hearth-page 2 $seal\n$line\n${documentOf(name)}"
}

/** Keeps one text in memory. */
class Memory(@Volatile var text: String? = null) : PageStorage {
    @Volatile var saved = 0
    override fun load(): String? = text
    override fun save(text: String) {
        this.text = text
        saved += 1
    }
}

/** A transport that answers as a case says, a clock that stands still but for what it says, and what came of it. */
private class Run(val case: Members, val chance: Int, val cut: Int?) : Transport, Clock {
    val turns = case.all("turns")
    val exchanges = turns.withIndex().flatMap { (number, turn) -> turn.all("exchanges").map { Pair(number, it) } }
        .toMutableList()
    var time = 0.0
    var number = 0
    /** The turn after which the app did what the case says. */
    var gone = -1
    var pause = 0.0
    var changes: Members? = null
    var failure: Throwable? = null
    val signatures = case["signatures"]?.let { Json.members(it) }?.let {
        Signatures(
            Signatures.Mode.valueOf((it["mode"] as String).toUpperCase()),
            Json.elements(it["keys"]).map { key -> key as String })
    }
    lateinit var client: PageClient

    fun go() {
        val kept = case["kept"]?.let { Json.members(it) }
        val holds = case["holds"]
        val record = when {
            holds != null -> recordOf(holds, case["revision"])
            kept != null -> {
                val mark = mapOf("signed" to kept["signed"], "highest" to (kept["highest"] ?: emptyMap<String, Any?>()))
                "hearth-signed ${Json.write(mark)}\n${recordOf(kept["page"], kept["revision"])}"
            }
            else -> null
        }
        val settings = PageSettings(
            "https://home.example.com", wait = case.int("wait") ?: 0, timeout = 12_345.0, signatures = signatures)
        client = PageClient(settings, Memory(record), this, this) { chance.toDouble() }
        var isFirst = true
        client.run { state ->
            if (isFirst && kept == null) {
                equal(state.standing.name, if (holds == null) "NO_DATA" else "CACHED", "at first")
            }
            isFirst = false
            state.update?.let { changes = it.changes }
        }
        failure?.let { throw it }
        equal(exchanges.size, 0, "requests that the case has, and the client did not make")
    }

    override fun now() = time
    override fun date() = 1e12 + time
    override fun sleep(milliseconds: Double, signal: Signal) {
        pause += milliseconds
        time += milliseconds
        goOn()
    }

    /** What the app does after a turn. */
    private fun goOn() {
        val acts = Json.elements(turns[number]["then"])
        if (acts.isEmpty() || gone == number || exchanges.firstOrNull()?.first == number) return
        try {
            check()
            gone = number
            for (act in acts) {
                val given = Json.members(act).mapValues { (_, value) ->
                    Json.members(value).mapValues { (_, text) -> text as String }
                }
                given["tell"]?.let { client.parameters = it }
                given["override"]?.let { client.overrides = it }
                when (act) {
                    "reset" -> client.reset()
                    "hold" -> client.hold()
                    "activate" -> client.activate()
                }
            }
            pause = 0.0
        } catch (problem: Throwable) {
            if (failure == null) failure = problem
            client.stop()
        }
    }

    override fun send(request: PageRequest, signal: Signal): PageAnswer {
        try {
            val (turn, exchange) = exchanges.firstOrNull() ?: Pair(-1, emptyMap())
            if (turn != number && gone != number) check()
            if (turn < 0) {
                client.stop()
                throw IOException("the case is over")
            }
            exchanges.removeAt(0)
            number = turn
            equal(request.url.substringBefore('?'), "https://home.example.com/v1/pages/home")
            equal(request.headers["Accept-Signature"], if (signatures == null) null else
                "sig1=(\"unencoded-digest\" \"hearth-revision\");created;expires;keyid;alg=\"ed25519\"")
            equal(asked(request), exchange.members("asks").mapValues { (_, value) -> value.toString() }, "asked")
            val answer = exchange.members("answer")
            answer["fails"]?.let { throw IOException(it as String) }
            return answer(answer)
        } catch (problem: IOException) {
            throw problem
        } catch (problem: Throwable) {
            if (failure == null) failure = problem
            client.stop()
            throw IOException(problem)
        }
    }

    private fun asked(request: PageRequest): Map<String, String?> {
        val headers = request.headers
        val tag = headers["If-None-Match"]
        equal(headers["A-IM"], if (tag == null) null else "hearth-changes", "A-IM")
        val wait = headers["Prefer"]?.removePrefix("wait=")
        equal(request.seconds, 12_345.0 + (wait?.toInt() ?: 0), "seconds")
        return mapOf(
            "changesOf" to tag?.let { known[it] ?: it }, "wait" to wait,
            "pastCaches" to if (headers["Cache-Control"] == "no-cache") "true" else null,
            "query" to if ('?' in request.url) request.url.substringAfter('?') else null
        ).filterValues { it != null }
    }

    private fun answer(answer: Members): PageAnswer {
        time += 1000 * ((answer["after"] as? Number)?.toDouble() ?: 0.0)
        var sent = answer["text"] as? String ?: answer["body"]?.let { documentOf(it) } ?: ""
        answer["replace"]?.let {
            val (old, new) = Json.elements(it).map { text -> text as String }
            assert(old in sent)
            sent = sent.replace(old, new)
        }
        val fields = LinkedHashMap<String, String?>()
        fields["Cache-Control"] = "public, max-age=30"
        (answer["tag"] ?: answer["body"])?.let { fields["ETag"] = tagOf(it) }
        answer["revision"]?.let { fields["Hearth-Revision"] = it as String }
        if (answer.int("status") == 226) fields["IM"] = "hearth-changes"
        for ((name, value) in answer.members("fields")) fields[name] = value as String?
        val bytes = sent.toByteArray()
        val body = if (cut == null || answer["isWhole"] == true) bytes else bytes.copyOf(minOf(cut, bytes.size))
        val given = fields.entries.filter { it.value != null }.associate { Pair(it.key, it.value ?: "") }
        return PageAnswer(answer.int("status") ?: 0, given, String(body))
    }

    /** What is there at the end of a turn. */
    private fun check() {
        val turn = turns[number]
        fun same(found: Any?, name: String) { if (name in turn) equal(found, turn[name], "turn $number, $name") }
        val state = client.state
        equal(client.page?.text, turn["holds"]?.let { documentOf(it) }, "turn $number, holds")
        turn["holds"]?.let { equal(client.page, Page.read(documentOf(it), "home"), "turn $number, holds") }
        same(client.revision, "revision")
        equal(state.error?.kind?.let { camel(it.name) }, turn["reports"], "turn $number, reports: ${state.error}")
        same(state.error?.reason?.let { camel(it.name) }, "because")
        same(client.verification?.let { it.keyID ?: it.reason?.let { reason -> camel(reason.name) } }, "verification")
        same(state.error?.code, "code")
        same(camel(state.standing.name), "state")
        turn["changes"]?.let { equal(Json.write(changes), Json.write(Json.read(documentOf(it))), "changes") }
        turn["pause"]?.let {
            val expected = (Json.elements(it)[chance] as Number).toDouble()
            equal(Math.round(pause) / 1000.0, expected, "turn $number, pause")
        }
        pause = 0.0
        changes = null
    }
}

/** A constant's name as the cases have it. */
fun camel(name: String) =
    name.toLowerCase().split("_").mapIndexed { at, word -> if (at == 0) word else word.capitalize() }.joinToString("")

fun checkCases() {
    for ((file, case) in casesIn("ClientCases")) {
        check("$file: ${case["name"]}") {
            val body = case.all("turns")[0].all("exchanges")[0].members("answer")["body"]
            val length = if (case["cutEverywhere"] == true) documentOf(body).toByteArray().size else 0
            for (chance in 0..1) Run(case, chance, if (length > 0) length - 1 else null).go()
            for (cut in 0 until length) Run(case, 0, cut).go()
        }
    }
}
