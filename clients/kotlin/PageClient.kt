package hearth.client

import java.io.IOException
import java.net.URLEncoder
import java.text.ParseException
import java.text.SimpleDateFormat
import java.util.Locale
import java.util.concurrent.ArrayBlockingQueue
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import java.util.concurrent.ThreadFactory
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import java.util.concurrent.atomic.AtomicReference

/**
 * Polls one page and holds it. May be called on any thread; [poll], [more] and [reset] wait, so not on the main one, and
 * setting [parameters] and [overrides] waits for a storage.
 * @param storage keeps the page between starts
 * @param random from 0 to 1, by which clients do not all ask at once
 */
class PageClient(
    private val settings: PageSettings, private val storage: PageStorage? = null,
    private val transport: Transport = HttpTransport(), private val clock: Clock = SystemClock,
    private val random: () -> Double = { Math.random() }
) {
    private data class Held(
        val page: Page? = null, val revision: String? = null,
        /** Whether this version of the app got the page: another one may understand more of it. */
        val isOwn: Boolean = true,
        val isConfirmed: Boolean = false, val since: Double? = null, val error: PageException? = null,
        /** What the server sent, if anything, that led to the page. */
        val changes: Map<String, Any?>? = null)

    /** A poll that all share who ask meanwhile, unless the server holds it. */
    private class Flight(val wait: Int, val signal: Signal) {
        val end = Signal()
        var failure: Exception? = null
    }

    private class Answer(
        val fits: Boolean, val revision: String?, val page: Page? = null, val changes: Map<String, Any?>? = null,
        val text: String? = null, val take: () -> Unit = {})

    /** What ends a wait, and no poll's failure. */
    private class Interruption : Exception()

    private class Loop(val show: (PageState) -> Unit) { @Volatile var isOver = false }

    private val timing = settings.timing
    private val server = settings.server.trimEnd('/')
    /** One answer is taken after the other. Whoever has this may take `lock`, and not the other way around. */
    private val taking = Any()
    private val lock = Any()
    @Volatile private var held = Held()
    private var isLoaded = false
    /** How many answers in a row were of older editions. */
    private var drops = 0
    /** Changed whenever what is under way is of what is forgotten. */
    @Volatile private var era = 0
    /** For how many seconds the last answer holds. */
    @Volatile private var fresh: Double? = null
    /** Before this moment nothing is asked, whoever wants it. */
    private var floor = Double.NEGATIVE_INFINITY
    /** What asked to be left alone until then. */
    private var refusal: PageException? = null
    private var flight: Flight? = null
    private var interruption = Signal()
    private var loop: Loop? = null
    /** When the loop asks next. */
    @Volatile private var due = Double.NEGATIVE_INFINITY
    @Volatile private var pause = 0.0
    @Volatile private var isRefreshing = false
    @Volatile private var failures = 0
    private val lists = HashMap<String, LongList>()
    @Volatile private var isHolding = false
    /** What is shown while others are held. */
    @Volatile private var shown: Page? = null

    /** Why the page cannot be kept, or what was kept not be used. */
    @Volatile var storageFailure: String? = null
        private set

    /** What the app tells of itself. A change asks for the whole page at once, and what is shown stays meanwhile. */
    var parameters: Map<String, String> = settings.parameters
        set(value) = change { field = value }

    /** What a tester sets on a device in the place of [parameters], such as `locale` or `preview`. */
    var overrides: Map<String, String> = emptyMap()
        set(value) = change { field = value }

    @Volatile private var url = urlOf()
    private val isPreview: Boolean get() = "preview" in parameters || "preview" in overrides

    /** The page to show; `null` without one. */
    val page: Page? get() = if (isHolding) shown ?: held.page else held.page
    /** The edition of the newest page: a generation, a dot, a revision. */
    val revision: String? get() = held.revision
    /** Who signed the newest page; `null` without [PageSettings.signatures]. */
    val verification: Verification? get() = settings.signatures?.verification

    /** What there is to show now. */
    val state: PageState get() {
        val held = held
        val standing = when {
            held.page == null -> Standing.NO_DATA
            held.error != null -> Standing.STALE
            held.isConfirmed -> Standing.UP_TO_DATE
            else -> Standing.CACHED
        }
        return PageState(standing, page, held.since, held.error, held.error?.let { pause / 1000 })
    }

    // Asking.

    /** Asks once, as soon as it may: a second after the last poll. Polls at the same time share a request. */
    fun poll(): PageUpdate? {
        load()
        val old = page
        while (true) {
            try {
                share(0, Signal())
                return updateFrom(old, page)
            } catch (given: Interruption) {
                // What is asked for changed meanwhile, or the loop that asked was stopped.
            }
        }
    }

    /** Has the loop ask at once, or as soon as it may. */
    fun refresh() {
        synchronized(lock) {
            // What is being asked answers this as well.
            if (flight?.wait == 0) return
            isRefreshing = true
            // Who was asked to leave the server alone does.
            if (refusalNow() == null) due = minOf(due, floor)
        }
        interrupt()
    }

    /** Forgets the page and what is kept: another user signed in, or the server has another history. */
    fun reset() {
        load()
        synchronized(taking) {
            restart { Held() }
            loading = null
            settings.signatures?.forget()
            keep(null, "")
        }
        refresh()
    }

    /**
     * Follows the page on a thread of its own: what there is at once, then what each poll brings. The next poll is made
     * when [show] returns. `start` in `onStart`, [stop] in `onStop`: in the background nothing is asked.
     */
    fun start(show: (PageState) -> Unit) {
        val loop = begin(show)
        Thread({ follow(loop) }, "hearth-page").apply { isDaemon = true }.start()
    }

    /** The same on this thread, until [stop]. */
    fun run(show: (PageState) -> Unit) = follow(begin(show))

    /** Ends what [start] began; nothing is shown any more. */
    fun stop() {
        synchronized(lock) {
            loop?.isOver = true
            loop = null
        }
        interrupt()
    }

    /** From now on fetches and keeps pages, and shows what is there until [activate]. */
    fun hold() {
        shown = held.page
        isHolding = true
    }

    /** Shows what came since [hold], at once. */
    fun activate() {
        isHolding = false
        interrupt()
    }

    private fun interrupt() = synchronized(lock) { interruption }.raise()

    private fun begin(show: (PageState) -> Unit): Loop {
        stop()
        return Loop(show).also { synchronized(lock) { loop = it } }
    }

    private fun follow(loop: Loop) {
        load()
        var seen = page
        var last = state
        if (!loop.isOver) loop.show(last)
        while (!loop.isOver) {
            val signal = Signal()
            synchronized(lock) {
                if (loop.isOver) signal.raise() else interruption = signal
            }
            var hasAsked = false
            try {
                val pause = due - clock.now()
                if (pause > 0) clock.sleep(pause, signal)
                if (signal.isRaised) throw Interruption()
                turn(signal)
                hasAsked = true
            } catch (ended: Interruption) {
                // By a refresh, which is due at once, or for good.
            }
            if (loop.isOver) break
            load()
            if (isHolding && shown == null) shown = held.page
            val update = updateFrom(seen, page)
            val state = state
            if (update == null && state.standing == last.standing && !(hasAsked && state.error != null)) continue
            seen = update?.page ?: state.page
            last = state
            loop.show(state.copy(page = seen, update = update))
        }
        keepConfirmation()
    }

    /** Asks once, and finds out when to ask again. */
    private fun turn(signal: Signal) {
        // What is not confirmed yet is asked for at once: a poll that is held confirms it late.
        val wait = if (!isRefreshing && state.standing == Standing.UP_TO_DATE) settings.wait else 0
        isRefreshing = false
        val started = clock.now()
        val before = held.page
        var failure: PageException? = null
        var isDropped = false
        try {
            share(wait, signal)
        } catch (problem: PageException) {
            isDropped = problem.kind == ErrorKind.DROPPED || problem.kind == ErrorKind.OTHER_HISTORY
            if (!isDropped) failure = problem
        }
        failures = if (failure == null) 0 else failures + 1
        val asked = failure?.retryAfter ?: fresh ?: timing.maxAge
        val backoff = minOf(timing.pauseMax, timing.pauseMin * Math.pow(2.0, failures - 1.0)) / 2
        // A server that was asked to hold the poll and did not is asked at intervals, and so is one that lags behind.
        val isHeld = settings.wait > 0 && !isDropped &&
            (wait == 0 || held.page !== before || clock.now() - started >= wait * 500)
        val least = maxOf(timing.pauseMin, asked)
        val seconds = when {
            failure != null && failure.retryAfter == null -> backoff + backoff * random()
            failure != null || !isHeld -> least + maxOf(timing.spread, least / 10) * random()
            else -> timing.spread * random()
        }
        synchronized(lock) {
            pause = maxOf(seconds * 1000, floor - clock.now())
            if (!isRefreshing) due = clock.now() + pause
        }
    }

    /** Asks, or waits for who does. */
    private fun share(wait: Int, signal: Signal) {
        load()
        val own = Flight(wait, signal)
        val other = synchronized(lock) {
            flight.also { if (it == null || it.wait > 0) flight = own }
        }
        val isShared = other != null && other.wait == 0
        if (other != null) {
            // A poll that the server holds gives way.
            if (!isShared) other.signal.raise()
            while (!other.end.isRaised) other.end.await(60_000.0)
        }
        if (isShared) {
            other?.failure?.let { throw it }
            return
        }
        try {
            ask(wait, signal)
        } catch (problem: Exception) {
            own.failure = problem
            throw problem
        } finally {
            synchronized(lock) { if (flight === own) flight = null }
            own.end.raise()
        }
    }

    private fun refusalNow(): PageException? {
        val pause = floor - clock.now()
        return refusal?.takeIf { pause > 0 }?.let {
            PageException(it.kind, it.message ?: "", it.status, it.code, it.requestID, Math.ceil(pause / 1000))
        }
    }

    /** Waits until the server may be asked, which every poll does. */
    private fun queue(signal: Signal) {
        while (true) {
            val pause = synchronized(lock) {
                refusalNow()?.let { throw it }
                val pause = floor - clock.now()
                if (pause <= 0) {
                    refusal = null
                    floor = clock.now() + timing.pauseMin * 1000
                    return
                }
                pause
            }
            clock.sleep(pause, signal)
            if (signal.isRaised) throw Interruption()
        }
    }

    /** Leaves the server alone for as long as it asks. */
    private fun heed(error: PageException) {
        val seconds = error.retryAfter ?: return
        synchronized(lock) {
            if (seconds > 0) {
                refusal = error
                floor = maxOf(floor, clock.now() + seconds * 1000)
            }
        }
    }

    private fun ask(wait: Int, signal: Signal) {
        queue(signal)
        val (era, url) = synchronized(taking) { Pair(era, url) }
        try {
            val base = if (held.isOwn) held.page else null
            var answer = request(url, signal, base, wait)
            if (!answer.fits) answer = request(url, signal, null)
            // From a cache on the way, or from a server that lags behind.
            if (isOlder(answer)) answer = request(url, signal, null, isPastCaches = true)
            synchronized(taking) {
                if (era != this.era) throw Interruption()
                settle(answer)
            }
        } catch (problem: PageException) {
            heed(problem)
            synchronized(taking) {
                if (era != this.era) throw Interruption()
                val named = named(problem)
                held = held.copy(error = named)
                throw named
            }
        }
    }

    /** A server that lags behind for too long is one whose database was made anew. */
    private fun named(error: PageException): PageException {
        if (error.kind != ErrorKind.DROPPED) return error
        drops += 1
        if (drops < 3 || clock.date() - (held.since ?: 0.0) < timing.lagMax * 1000) return error
        return PageException(
            ErrorKind.OTHER_HISTORY, "${error.message}, as before: the server may have another history")
    }

    private fun request(
        url: String, signal: Signal, base: Page?, wait: Int = 0, isPastCaches: Boolean = false
    ): Answer {
        val headers = LinkedHashMap(headers())
        if (isPastCaches) headers["Cache-Control"] = "no-cache"
        if (base != null) {
            headers["If-None-Match"] = "W/\"${base.version}\""
            headers["A-IM"] = "hearth-changes"
            if (wait > 0) headers["Prefer"] = "wait=$wait"
        }
        val send = { all: Map<String, String> -> send(url, all, if ("Prefer" in all) wait else 0, signal) }
        val checked = settings.signatures?.send(settings.page, base, headers, clock.date(), send)
        val received = checked?.answer ?: send(headers)
        val answer = read(received, base, checked?.take ?: {})
        val maxAge = maxAge.find(received["Cache-Control"] ?: "")?.let { seconds(it.groupValues[1]) }
        fresh = maxAge?.let { maxOf(0.0, it - (seconds(received["Age"]) ?: 0.0)) }
        return answer
    }

    private fun headers(): Map<String, String> = mapOf("Accept" to "application/json") +
        (settings.clientKey?.let { mapOf("Hearth-Client-Key" to it) } ?: emptyMap())

    private fun send(url: String, headers: Map<String, String>, wait: Int, signal: Signal): PageAnswer {
        val request = PageRequest(
            url, headers, settings.timeout + wait, settings.bodyMax, followsRedirects = settings.clientKey == null)
        try {
            return transport.send(request, signal).also { if (signal.isRaised) throw Interruption() }
        } catch (problem: IOException) {
            if (signal.isRaised) throw Interruption()
            if (problem is TooLongException) throw PageException(ErrorKind.UNREADABLE, "the answer: ${problem.message}")
            throw PageException(ErrorKind.UNREACHABLE, "no answer: $problem")
        }
    }

    private fun read(answer: PageAnswer, base: Page?, take: () -> Unit): Answer {
        val revision = answer["Hearth-Revision"]
        val misfit = Answer(false, revision)
        return when {
            answer.status == 200 -> try {
                Answer(true, revision, Page.read(answer.body, settings.page), text = answer.body, take = take)
            } catch (problem: JsonException) {
                throw PageException(ErrorKind.UNREADABLE, "the answer is no page: ${problem.message}")
            }
            // RFC 3229 §10.5.3: without this one instance manipulation the body is something else.
            answer.status == 226 -> if (base == null || !answer["IM"].equals("hearth-changes", true)) misfit else try {
                val changes = Json.members(Json.read(answer.body))
                val page = Changes.applied(base, changes)
                if (base.isExact && !page.isExact) misfit else Answer(true, revision, page, changes, take = take)
            } catch (problem: JsonException) {
                misfit
            }
            answer.status == 304 && base != null ->
                if (answer["ETag"]?.contains(base.version) == false) misfit else Answer(true, revision, take = take)
            answer.status >= 400 -> throw refused(answer)
            else -> throw PageException(
                ErrorKind.UNREADABLE, "the status ${answer.status} does not answer what was asked")
        }
    }

    private fun refused(answer: PageAnswer): PageException {
        // Something in between may have answered.
        val problem = try { Json.members(Json.read(answer.body)) } catch (none: JsonException) { emptyMap<String, Any?>() }
        val (code, id) = Pair(problem["code"] as? String, problem["requestId"] as? String)
        val detail = problem["detail"] ?: problem["title"] ?: ""
        val after = answer["Retry-After"]
        val until = date(after)?.let { it - (date(answer["Date"]) ?: clock.date()) }
        val retryAfter = seconds(after) ?: until?.let { minOf(secondsMax, maxOf(0.0, Math.ceil(it / 1000))) }
        val message = "the server answered ${answer.status} ${code ?: ""}: $detail"
        return PageException(ErrorKind.REFUSED, message, answer.status, code, id, retryAfter)
    }

    /** Whether an answer is of an older edition than the page, or may be: another page that does not say. */
    private fun isOlder(answer: Answer): Boolean {
        val (held, own) = Pair(held, answer.revision)
        if (Edition.of(own) != null || Edition.of(held.revision) == null) return Edition.isBefore(own, held.revision)
        return answer.page != null && answer.page.version != held.page?.version
    }

    private fun settle(answer: Answer) {
        if (isOlder(answer)) {
            val edition = answer.revision?.takeIf { Edition.of(it) != null }?.let { "of the edition $it" }
            throw PageException(
                ErrorKind.DROPPED, "the answer is ${edition ?: "of no edition"}, and ${held.revision} is held")
        }
        if (!answer.fits) {
            throw PageException(ErrorKind.UNREADABLE, "the answer is no page, though nothing else was asked for")
        }
        val before = held
        val page = (if (answer.page?.version != before.page?.version) answer.page else null) ?: before.page ?: return
        val isNew = page !== before.page
        answer.take()
        val edition = answer.revision?.takeIf { Edition.of(it) != null } ?: before.revision
        val since = clock.date()
        val isSame = !isNew && before.isOwn && edition == before.revision
        val isKept = isSame && kept?.let { Math.abs(since - it) < timing.keepMin * 1000 } == true
        // First kept, then shown: a start after this never shows less.
        if (storage != null && !isKept) {
            keep(Head(url, edition, since, page.version), answer.text?.takeIf { isNew } ?: page.text)
        }
        drops = 0
        held = Held(
            page, edition, isOwn = if (answer.page != null) true else before.isOwn, isConfirmed = true, since = since,
            changes = if (isNew) answer.changes else before.changes)
    }

    private fun updateFrom(old: Page?, page: Page?): PageUpdate? {
        if (page == null || page === old) return null
        val sent = held.changes?.takeIf { it["from"] == old?.version && it["to"] == page.version }
        return PageUpdate(old, page, old?.let { sent ?: Changes.between(it, page) })
    }

    // What the app tells of itself.

    private fun urlOf(): String {
        // Always in the same order, so that caches see one URL.
        val query = (parameters + overrides).toSortedMap().entries.joinToString("&") { "${escaped(it.key)}=${escaped(it.value)}" }
        return "$server/v1/pages/${escaped(settings.page)}${if (query == "") "" else "?$query"}"
    }

    private fun escaped(text: String) = URLEncoder.encode(text, "UTF-8").replace("+", "%20")

    private fun change(set: () -> Unit) {
        synchronized(taking) {
            val before = Pair(url, isPreview)
            set()
            url = urlOf()
            if (url == before.first) return
            restart {
                // What a preview shows is nobody's last good page, and what was kept is no preview.
                if (isPreview == before.second) it.copy(isOwn = false, isConfirmed = false, error = null) else {
                    isLoaded = false
                    loading = null
                    Held()
                }
            }
        }
        refresh()
    }

    /** Holds something else; what is under way is for nobody. */
    private fun restart(next: (Held) -> Held) {
        era += 1
        drops = 0
        held = next(held)
        if (held.page == null) shown = null
        synchronized(lock) { flight.also { flight = null } }?.signal?.raise()
    }

    // Keeping.

    /** The date of the confirmation that is kept; `null` when the page is not. */
    @Volatile private var kept: Double? = null
    private val unsaved = AtomicReference<(() -> Unit)?>()
    /** One thread at most, and one task that waits for it, however slow a storage is. */
    private val saver = ThreadPoolExecutor(
        0, 1, 1, TimeUnit.SECONDS, ArrayBlockingQueue<Runnable>(1),
        ThreadFactory { task -> Thread(task, "hearth-storage").apply { isDaemon = true } },
        ThreadPoolExecutor.DiscardPolicy())

    /** What the storage brings at the start, until it is taken. */
    private var loading: FutureTask<String?>? = null
    private val tooLong = "the storage takes longer than ${timing.keepMax} s"

    private fun load(): Unit = synchronized(taking) {
        if (isLoaded) return takeKept()
        isLoaded = true
        if (isPreview) return
        if (storage != null) loadInTime(storage)
        takeKept()
        if (held.page == null && settings.bundled != null) {
            // Of no edition, so that whatever a server has takes its place.
            held = Held(Page.read(settings.bundled, settings.page), isOwn = false)
        }
    }

    /** Loads what was kept, and waits for that, though not for a storage that does not come back. */
    private fun loadInTime(storage: PageStorage) {
        val isLate = Signal()
        val task = FutureTask { storage.load() }
        loading = task
        saver.execute {
            task.run()
            // Who follows takes what comes late.
            if (isLate.isRaised) interrupt()
        }
        try {
            task.get((timing.keepMax * 1000).toLong(), TimeUnit.MILLISECONDS)
        } catch (late: TimeoutException) {
            storageFailure = tooLong
            isLate.raise()
        } catch (problem: ExecutionException) {
            // It is told of where it is taken.
        }
    }

    /** Takes what was kept, if it is here by now and a server has said nothing yet. */
    private fun takeKept() {
        val task = loading?.takeIf { it.isDone } ?: return
        loading = null
        if (storageFailure == tooLong) storageFailure = null
        if (held.since != null) return
        try {
            val record = task.get()?.takeIf { it != "" } ?: return
            val read = Record.read(record) ?: throw JsonException("it is cut, damaged or of another form")
            // What another server or page left there says nothing here.
            if (read.head.place != url.substringBefore('?')) return
            val page = Page.read(read.text, settings.page)
            if (page.version != read.head.version) throw JsonException("it is of another version")
            settings.signatures?.admit(record, read.text)
            kept = read.head.since
            held = Held(
                page, read.head.revision, isOwn = read.head.url == url, since = minOf(read.head.since, clock.date()))
        } catch (problem: Exception) {
            val cause = if (problem is ExecutionException) problem.cause else problem
            storageFailure = "what was kept cannot be used: ${cause?.message}"
        }
    }

    /** Keeps a page, and waits for that, though not for a storage that does not come back. */
    private fun keep(head: Head?, text: String) {
        if (storage == null || isPreview) return
        val record = head?.let { (settings.signatures?.markOf(it.version) ?: "") + Record.write(it, text) } ?: ""
        unsaved.set { save(head, record) }
        try {
            saver.submit { unsaved.getAndSet(null)?.invoke() }.get((timing.keepMax * 1000).toLong(), TimeUnit.MILLISECONDS)
        } catch (late: TimeoutException) {
            storageFailure = tooLong
        }
    }

    private fun save(head: Head?, record: String) {
        try {
            if (head == null || !isNewerKept(head)) storage?.save(record)
            kept = head?.since
            storageFailure = null
        } catch (problem: Exception) {
            // Tried again with the next answer.
            kept = null
            storageFailure = "the page cannot be kept: ${problem.message}"
        }
    }

    /** Whether the storage has something newer by now: from another client of the same app. */
    private fun isNewerKept(head: Head): Boolean {
        // What cannot be read is replaced.
        val other = try { storage?.load()?.let { Record.read(it) }?.head } catch (problem: Exception) { null }
        // What is of another day is of a clock that was wrong.
        if (other == null || other.place != head.place || other.since > clock.date()) return false
        return Edition.isBefore(head.revision, other.revision) ||
            head.revision == other.revision && head.url == other.url && head.since < other.since
    }

    /** Keeps when the page was confirmed last. */
    private fun keepConfirmation() {
        synchronized(taking) {
            val (page, since) = Pair(held.page, held.since)
            if (page != null && held.isConfirmed && since != null && since != kept) {
                keep(Head(url, held.revision, since, page.version), page.text)
            }
        }
    }

    // Long lists.

    /** What was brought of a section's list beyond the page. */
    private class LongList(val name: String, var more: Map<String, Any?>) {
        var items = emptyList<Item>()
        var next: FutureTask<List<Item>>? = null
    }

    private fun section(id: String): Section? = page?.sections?.find { it.id == id }

    /** The list that the page has now: what was brought of another one is nothing here. */
    private fun list(id: String): LongList {
        val more = Json.members(section(id)?.json?.get("more"))
        // The same list may begin elsewhere: then another number of items is missing.
        val name = "${more["of"]} ${more["count"]}"
        return synchronized(lists) {
            lists[id]?.takeIf { it.name == name } ?: LongList(name, more).also { lists[id] = it }
        }
    }

    /** The items of a section: those that stand in the page, and those that [more] brought since it has this list. */
    fun items(section: String): List<Item> = (section(section)?.items ?: emptyList()) + list(section).items

    /** How many items of a section [more] can still bring. */
    fun rest(section: String): Int = (list(section).more["count"] as? Number)?.toInt() ?: 0

    /**
     * Brings the next items of a section; whoever asks meanwhile waits for the same ones. None at the end of the list, or
     * when the page has another list by now. Where the list is gone, the loop asks for the page again.
     */
    fun more(section: String): List<Item> {
        val list = list(section)
        val task = synchronized(list) { list.next ?: FutureTask { next(section, list) }.also { list.next = it } }
        task.run()
        try {
            return task.get()
        } catch (problem: ExecutionException) {
            throw problem.cause ?: problem
        } finally {
            synchronized(list) { if (list.next === task) list.next = null }
        }
    }

    private fun next(section: String, list: LongList): List<Item> {
        val href = list.more["href"] as? String
        // Nowhere but to the server of the page.
        if (href == null || !href.startsWith("/v1/")) return emptyList()
        synchronized(lock) { refusalNow() }?.let { throw it }
        val answer = send(server + href, headers(), 0, Signal())
        if (answer.status != 200) {
            val error = refused(answer)
            heed(error)
            // It is not kept any more, or not understood: the page has the link of the list that there is.
            if (answer.status == 400 || answer.status == 410) refresh()
            throw error
        }
        if (list(section) !== list) return emptyList()
        val part = try { Json.members(Json.read(answer.body)) } catch (problem: JsonException) { emptyMap<String, Any?>() }
        val items = Json.elements(part["items"]).map { Item(Json.members(it)) }
        if (part["of"] != list.more["of"] || items.isEmpty()) {
            throw PageException(ErrorKind.UNREADABLE, "the answer is no part of the list")
        }
        list.items += items
        list.more = Json.members(part["more"])
        return items
    }

    private companion object {
        /** No answer is worth a longer pause than a day. */
        const val secondsMax = 86_400.0
        val maxAge = Regex("(?:^|,)\\s*max-age\\s*=\\s*([0-9]+)\\s*(?:,|$)", RegexOption.IGNORE_CASE)
        private val whole = Regex("\\s*[0-9]+\\s*")

        fun seconds(text: String?): Double? =
            text?.takeIf { it.matches(whole) }?.let { minOf(secondsMax, it.trim().toDouble()) }

        /** A date of HTTP in its one form (RFC 9110 §5.6.7), in milliseconds. */
        fun date(text: String?): Double? = try {
            val form = SimpleDateFormat("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            form.timeZone = java.util.TimeZone.getTimeZone("GMT")
            text?.let { form.parse(it).time.toDouble() }
        } catch (problem: ParseException) {
            null
        }
    }
}
