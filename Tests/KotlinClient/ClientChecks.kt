// What the cases do not say: threads, storages, changes while the app runs, long lists.

import hearth.client.Clock
import hearth.client.ErrorKind
import hearth.client.FileStorage
import hearth.client.Json
import hearth.client.PageAnswer
import hearth.client.PageClient
import hearth.client.PageException
import hearth.client.PageRequest
import hearth.client.PageSettings
import hearth.client.PageState
import hearth.client.PageStorage
import hearth.client.Signal
import hearth.client.Signatures
import hearth.client.Standing
import hearth.client.Timing
import hearth.client.Transport
import java.io.File
import java.io.IOException
import java.util.concurrent.CountDownLatch
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit

private const val server = "https://home.example.com"

/** A server of functions: the last one answers again and again. */
private class Fake(vararg answers: (PageRequest) -> PageAnswer) : Transport, Clock {
    val answers = answers.toMutableList()
    val asked = ArrayList<PageRequest>()
    val times = ArrayList<Double>()
    @Volatile var time = 0.0
    override fun now() = time
    override fun date() = 1e12 + time
    override fun sleep(milliseconds: Double, signal: Signal) { time += milliseconds }
    override fun send(request: PageRequest, signal: Signal): PageAnswer {
        asked.add(request)
        times.add(time)
        return (if (answers.size > 1) answers.removeAt(0) else answers[0])(request)
    }
    fun client(storage: PageStorage? = null, settings: PageSettings = PageSettings(server)) =
        PageClient(settings, storage, this, this) { 0.0 }
}

private fun page(name: String, revision: String? = "1.7") = { _: PageRequest ->
    PageAnswer(200, revision?.let { mapOf("Hearth-Revision" to it) } ?: emptyMap(), documentOf(name))
}
private fun status(status: Int, vararg fields: Pair<String, String>, body: String = "") =
    { _: PageRequest -> PageAnswer(status, mapOf(*fields), body) }
private val away = { _: PageRequest -> throw IOException("no network") }

private fun failure(body: () -> Unit) = fails<PageException>("a failure", body)

/** The states of a run that ends after so many. */
private fun PageClient.states(count: Int, seen: (PageState) -> Unit = {}): List<PageState> {
    val states = ArrayList<PageState>()
    run {
        states.add(it)
        seen(it)
        if (states.size == count) stop()
    }
    return states
}

private fun nameOf(client: PageClient): String? =
    listOf("first", "second", "third", "activity").find { client.page?.text == documentOf(it) }

fun checkClient() {
    check("polls are a second apart, whoever calls for them") {
        val fake = Fake(page("first"))
        val client = fake.client()
        for (poll in 1..4) client.poll()
        equal(fake.times, listOf(0.0, 1000.0, 2000.0, 3000.0))
    }
    check("who is asked to leave the server alone does, for a page and for parts of it") {
        val fake = Fake(status(429, "Retry-After" to "120", body = "{\"code\":\"too-many-requests\",\"requestId\":\"r\"}"))
        val client = fake.client()
        val first = failure { client.poll() }
        equal(listOf(first.status, first.code, first.requestID, first.retryAfter), listOf(429, "too-many-requests", "r", 120.0))
        fake.time += 60_000
        equal(failure { client.poll() }.retryAfter, 60.0)
        client.refresh()
        equal(fake.asked.size, 1)
        fake.time += 60_000
        failure { client.poll() }
        equal(fake.asked.size, 2)
    }
    check("Retry-After may be a date, and counts from the server's") {
        val fake = Fake(status(
            503, "Retry-After" to "Sun, 06 Nov 1994 08:50:37 GMT", "Date" to "Sun, 06 Nov 1994 08:49:37 GMT"))
        equal(failure { fake.client().poll() }.retryAfter, 60.0)
        equal(failure { Fake(status(503, "Retry-After" to "soon")).client().poll() }.retryAfter, null)
    }
    check("a page is kept before it is shown") {
        lateinit var client: PageClient
        var shown: String? = "nothing was kept"
        val storage = object : PageStorage {
            override fun load(): String? = null
            override fun save(text: String) { shown = nameOf(client) }
        }
        client = Fake(page("first", "1.7"), page("second", "1.8")).client(storage)
        client.poll()
        equal(shown, null)
        client.poll()
        equal(Pair(shown, nameOf(client)), Pair("first" as String?, "second" as String?))
    }
    check("a storage that fails is told of and tried again, and one that hangs is not waited for") {
        var fails = true
        val storage = object : PageStorage {
            override fun load(): String? = throw IOException("no disk")
            override fun save(text: String) { if (fails) throw IOException("the disk is full") }
        }
        val client = Fake(page("first")).client(storage)
        client.poll()
        equal(nameOf(client), "first")
        equal(client.storageFailure, "the page cannot be kept: the disk is full")
        fails = false
        client.poll()
        equal(client.storageFailure, null)
        val never = CountDownLatch(1)
        val hanging = object : PageStorage {
            override fun load(): String? = null
            override fun save(text: String) = never.await()
        }
        val slow = Fake(page("first", "1.7"), page("second", "1.8"), page("third", "1.9"))
            .client(hanging, PageSettings(server, timing = Timing(keepMax = 0.02)))
        for (poll in 1..3) slow.poll()
        equal(nameOf(slow), "third")
        equal(slow.storageFailure, "the storage takes longer than 0.02 s")
        never.countDown()
    }
    check("a storage that brings nothing is not waited for, and what comes late takes the place of nothing newer") {
        val late = Late()
        val client = Fake(page("first", "1.7"), status(304)).client(late, late.settings)
        client.poll()
        equal(Pair(nameOf(client), client.storageFailure), Pair("first" as String?, late.failure as String?))
        late.bring(recordOf("second", "1.5"))
        client.poll()
        equal(Pair(nameOf(client), client.revision), Pair("first" as String?, "1.7" as String?))
    }
    check("what a storage brings after a reset is not shown") {
        val late = Late()
        val client = Fake(away).client(late, late.settings)
        client.reset()
        late.bring(recordOf("second", "1.5"))
        failure { client.poll() }
        equal(client.page, null)
    }
    check("what a storage brings late is shown at once, though the server does not answer") {
        val late = Late()
        val slow = Slow()
        val client = PageClient(late.settings, late, slow)
        val states = LinkedBlockingQueue<PageState>()
        client.start { states.add(it) }
        equal(states.take().standing, Standing.NO_DATA)
        slow.next()
        equal(client.storageFailure, late.failure)
        late.bring(recordOf("second", "1.5"))
        val state = states.poll(10, TimeUnit.SECONDS)
        equal(Pair(state?.standing, state?.page?.text), Pair<Standing?, String?>(Standing.CACHED, documentOf("second")))
        equal(Pair(state?.update?.page, client.storageFailure), Pair<Any?, String?>(state?.page, null))
        assert("If-None-Match" in slow.next().headers)
        client.stop()
    }
    check("what was kept is shown, and what is damaged, or of another place, is not") {
        val good = recordOf("first", "1.7")
        equal(Fake(away).client(Memory(good)).states(1)[0].page?.text, documentOf("first"))
        val others = listOf(
            good.dropLast(1), good.replace("频道", "頻道"), good.replace("1.7", "1.9"), "x", "\n\n",
            good.replace("hearth-page 2", "hearth-page 1"), good.replace("home.example", "other.example"))
        for (record in others) {
            val client = Fake(away).client(Memory(record))
            equal(client.states(1)[0].standing, Standing.NO_DATA, record.take(80))
        }
    }
    check("another client's newer page is not replaced by an older one") {
        val storage = Memory()
        val one = Fake(page("first", "1.7")).client(storage)
        one.states(1)
        Fake(page("second", "1.8")).client(storage).poll()
        one.poll()
        assert(documentOf("second") in (storage.text ?: ""))
    }
    check("a file is kept whole, and read again") {
        val file = File.createTempFile("hearth", ".page")
        val storage = FileStorage(file)
        storage.save("频道")
        equal(storage.load(), "频道")
        fails<IOException>("too long") { storage.save("x".repeat(32_000_001)) }
        equal(storage.load(), "频道")
        file.delete()
        equal(storage.load(), null)
    }
    check("a server with another history is told of after a while, and reset takes what it has") {
        val storage = Memory(recordOf("second", "1.9", since = 1_000_000_000_000))
        val fake = Fake(page("first", "1.2"))
        val client = fake.client(storage)
        equal(failure { client.poll() }.kind, ErrorKind.DROPPED)
        fake.time += 700_000
        equal(failure { client.poll() }.kind, ErrorKind.DROPPED)
        equal(failure { client.poll() }.kind, ErrorKind.OTHER_HISTORY)
        equal(nameOf(client), "second")
        client.reset()
        equal(Pair(client.page, storage.text), Pair(null, "" as String?))
        client.poll()
        equal(Pair(nameOf(client), client.revision), Pair("first" as String?, "1.2" as String?))
    }
    check("a reset while the app shows the page takes it away") {
        val fake = Fake(page("first"), away)
        val client = fake.client()
        val states = client.states(4) { if (it.standing == Standing.UP_TO_DATE) client.reset() }
        equal(states.map { it.standing }.take(3), listOf(Standing.NO_DATA, Standing.UP_TO_DATE, Standing.NO_DATA))
        equal(states[2].page, null)
    }
    check("a change of what the app tells asks for the whole page at once, and what is shown stays") {
        val storage = Memory()
        val fake = Fake(page("first"), away, page("second", "1.7"))
        val client = fake.client(storage, PageSettings(server, parameters = mapOf("platform" to "android", "locale" to "en")))
        client.poll()
        client.parameters = mapOf("platform" to "android", "locale" to "zh-Hant", "user group" to "a+b")
        failure { client.poll() }
        equal(nameOf(client), "first")
        client.poll()
        equal(nameOf(client), "second")
        equal(fake.asked.map { it.url.substringAfter("home?") }, listOf(
            "locale=en&platform=android", "locale=zh-Hant&platform=android&user%20group=a%2Bb",
            "locale=zh-Hant&platform=android&user%20group=a%2Bb"))
        equal(fake.asked.map { "If-None-Match" in it.headers }, listOf(false, false, false))
        client.overrides = mapOf("locale" to "vi")
        client.poll()
        assert("locale=vi" in fake.asked.last().url && "locale=vi" in (storage.text ?: ""))
        // The same again is no change.
        client.overrides = mapOf("locale" to "vi")
        client.poll()
        assert("If-None-Match" in fake.asked.last().headers)
    }
    check("a tester's preview is not kept, and gives way to what was") {
        val storage = Memory()
        val fake = Fake(page("first", "1.7"), page("third", null), page("second", null), page("second", "1.8"))
        val client = fake.client(storage)
        client.poll()
        val kept = storage.text
        client.overrides = mapOf("preview" to "x")
        equal(client.page, null)
        for (name in listOf("third", "second")) {
            client.poll()
            equal(nameOf(client), name)
        }
        equal(storage.text, kept)
        client.overrides = emptyMap()
        client.poll()
        equal(Pair(nameOf(client), client.revision), Pair("second" as String?, "1.8" as String?))
        equal(fake.asked.last().headers["If-None-Match"]?.contains("\""), true, "changes of what was kept")
    }
    check("what comes while updates are held is kept, and shown when the app says so") {
        val storage = Memory()
        val fake = Fake(page("first", "1.7"), page("second", "1.8"), page("third", "1.9"), away)
        val client = fake.client(storage)
        client.hold()
        var seen = ""
        val states = client.states(5) { state ->
            if (state.error != null && seen == "") {
                seen = "${nameOf(client)} ${client.revision}"
                client.activate()
            }
        }
        equal(seen, "first 1.9")
        assert(documentOf("third") in (storage.text ?: ""))
        val shown = states.map { it.page?.version }.distinct()
        equal(shown.size, 3, "$shown")
        val update = states.first { it.update?.old != null }.update
        equal(Pair(update?.old?.text, update?.page?.text), Pair(documentOf("first") as String?, documentOf("third") as String?))
        val changes = Json.members(Json.read(Json.write(update?.changes)))
        equal(update?.old?.let { hearth.client.Changes.applied(it, changes).text }, documentOf("third"))
    }
    check("a page that came with the app is shown until there is another one") {
        val settings = PageSettings(server, bundled = documentOf("first"))
        val states = Fake(page("second", "1.7")).client(null, settings).states(2)
        equal(states.map { it.standing }, listOf(Standing.CACHED, Standing.UP_TO_DATE))
        equal(states.map { it.page?.text }, listOf<String?>(documentOf("first"), documentOf("second")))
        equal(states[0].since, null)
        equal(Fake(away).client(Memory(recordOf("second", "1.7")), settings).states(1)[0].page?.text, documentOf("second"))
    }
    check("only 1 to 4 different keys of 32 bytes can be pinned") {
        val key = "1zPNUkmDVSUMjgPjqKmeEeeyOJWPeIqTBS9I+jBCDIo="
        for (keys in listOf(emptyList(), listOf(key, key), listOf("x"), listOf(key.dropLast(1)), List(5) { key })) {
            fails<IllegalArgumentException>("$keys") { Signatures(Signatures.Mode.REQUIRE, keys) }
        }
        equal(Signatures(Signatures.Mode.REPORT, listOf(key)).verification, null)
    }
    checkThreads()
    checkLists()
}

/** A server that answers when it is told to, on the system's clock. */
private class Slow : Transport {
    val asked = LinkedBlockingQueue<PageRequest>()
    val answers = LinkedBlockingQueue<(PageRequest) -> PageAnswer>()
    override fun send(request: PageRequest, signal: Signal): PageAnswer {
        asked.add(request)
        while (!signal.isRaised) answers.poll(5, TimeUnit.MILLISECONDS)?.let { return it(request) }
        throw IOException("it was given up")
    }
    fun next(): PageRequest = asked.poll(10, TimeUnit.SECONDS) ?: throw AssertionError("nothing is asked")
    fun client(wait: Int = 0) =
        PageClient(PageSettings(server, wait = wait, timing = Timing(pauseMin = 0.01, spread = 0.0)), null, this)
}

/** A storage that brings what it has when it is told to. */
private class Late : PageStorage {
    private val brought = LinkedBlockingQueue<String>()
    val settings = PageSettings(server, timing = Timing(pauseMin = 0.01, spread = 0.0, keepMax = 0.05))
    val failure = "the storage takes longer than 0.05 s"
    fun bring(record: String) {
        brought.add(record)
        while (brought.isNotEmpty()) Thread.yield()
        // It takes the text, and the client's thread is then about to have it.
        Thread.sleep(50)
    }
    override fun load(): String? = brought.take()
    override fun save(text: String) {}
}

private fun checkThreads() {
    check("polls at the same time share a request") {
        val slow = Slow()
        val client = slow.client()
        val threads = List(4) { Thread { client.poll() }.apply { start() } }
        slow.next()
        while (threads.count { it.state == Thread.State.TIMED_WAITING } < 4) Thread.yield()
        slow.answers.add(page("first"))
        threads.forEach { it.join() }
        equal(Pair(slow.asked.size, nameOf(client)), Pair(0, "first" as String?))
    }
    check("a refresh and a poll end a wait, and so does a stop, after which nothing is shown") {
        val slow = Slow()
        val client = slow.client(wait = 50)
        val states = LinkedBlockingQueue<PageState>()
        slow.answers.add(page("first", "1.7"))
        client.start { states.add(it) }
        equal(slow.next().headers["Prefer"], null)
        equal(slow.next().headers["Prefer"], "wait=50")
        client.refresh()
        equal(slow.next().headers["Prefer"], null)
        slow.answers.add(page("second", "1.8"))
        equal(slow.next().headers["Prefer"], "wait=50")
        val poll = Thread { client.poll() }.apply { start() }
        equal(slow.next().headers["Prefer"], null)
        slow.answers.add(page("third", "1.9"))
        poll.join()
        equal(slow.next().headers["Prefer"], "wait=50")
        equal(List(4) { states.take().page?.version }.distinct().size, 4)
        client.stop()
        slow.answers.clear()
        client.start { states.add(it) }
        equal(states.take().page?.text, documentOf("third"))
        equal(slow.next().headers["Prefer"], "wait=50")
        client.stop()
        client.refresh()
        equal(states.size, 0)
    }
    check("a change while a poll is under way drops its answer") {
        val slow = Slow()
        val client = slow.client()
        val poll = Thread { client.poll() }.apply { start() }
        slow.next()
        client.parameters = mapOf("locale" to "vi")
        assert(slow.next().url.endsWith("?locale=vi"))
        slow.answers.add(page("first"))
        poll.join()
        equal(nameOf(client), "first")
    }
}

private fun item(number: Int) = mapOf("id" to "f$number", "kind" to "row", "content" to mapOf("title" to "$number"))
private fun more(offset: Int, of: String) =
    mapOf("href" to "/v1/pages/home/sections/feed/items?cursor=$of-$offset", "count" to 30 - offset, "of" to of)

/** A page whose feed has its first ten items there. */
private fun feed(of: String) = { _: PageRequest ->
    val section = "{\"id\":\"feed\",\"kind\":\"feed\",\"index\":0,\"layout\":{\"style\":\"list\"}," +
        "\"items\":${items(0, 10)},\"more\":${part(10, of)}}"
    val rest = "\"locale\":\"en\",\"sortRule\":\"default\",\"sections\":[$section]}"
    val digest = java.security.MessageDigest.getInstance("SHA-256").digest("{\"page\":\"home\",$rest".toByteArray())
    val version = digest.take(8).joinToString("") { String.format("%02x", it) }
    PageAnswer(200, emptyMap(), "{\"page\":\"home\",\"version\":\"$version\",$rest")
}
private fun items(from: Int, to: Int) = (from until to).joinToString(",", "[", "]") { number ->
    "{\"id\":\"f$number\",\"kind\":\"row\",\"content\":{\"title\":\"$number\"}}"
}
private fun part(offset: Int, of: String) = more(offset, of).let {
    "{\"href\":\"${it["href"]}\",\"count\":${it["count"]},\"of\":\"${it["of"]}\"}"
}
private fun ids(to: Int, from: Int = 0) = (from until to).map { "f$it" }

private fun checkLists() = check("the rest of a list comes part by part, while the page has the list") {
    fun answer(from: Int, of: String, to: Int = from + 10) = { request: PageRequest ->
        equal(request.url, "$server/v1/pages/home/sections/feed/items?cursor=$of-$from")
        val rest = if (to < 30) ",\"more\":${part(to, of)}" else ""
        PageAnswer(200, emptyMap(), "{\"items\":${items(from, to)},\"of\":\"$of\"$rest}")
    }
    lateinit var client: PageClient
    val late = { request: PageRequest ->
        // The page has another list by the time the part is there.
        client.poll()
        answer(10, "cc")(request)
    }
    val fake = Fake(
        feed("aa"), answer(10, "aa"), answer(20, "aa"), feed("bb"), status(410, body = "{\"code\":\"list-gone\"}"),
        status(200, body = "{\"items\":[],\"of\":\"bb\"}"), feed("cc"),
        late, feed("dd"))
    client = fake.client()
    equal(Pair(client.items("feed"), client.more("feed")), Pair(emptyList(), emptyList()))
    client.poll()
    equal(Pair(client.items("feed").map { it.id }, client.rest("feed")), Pair(ids(10), 20))
    equal(client.more("feed").map { it.id }, ids(20, 10))
    equal(client.more("feed").map { it.id }, ids(30, 20))
    equal(Pair(client.items("feed").map { it.id }, client.rest("feed")), Pair(ids(30), 0))
    equal(client.more("feed"), emptyList())
    client.poll()
    equal(Pair(client.items("feed").map { it.id }, client.rest("feed")), Pair(ids(10), 20), "another list")
    equal(failure { client.more("feed") }.code, "list-gone")
    equal(failure { client.more("feed") }.kind, ErrorKind.UNREADABLE)
    client.poll()
    equal(Pair(client.more("feed"), client.items("feed").map { it.id }), Pair(emptyList(), ids(10)), "a late part")
    equal(fake.asked.size, 9)
}
