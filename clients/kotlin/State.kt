package hearth.client

/** Where the page stands. */
enum class Standing {
    /** There is no page yet. */
    NO_DATA,
    /** The page is that of the storage, or the one that came with the app; the server has not answered yet. */
    CACHED,
    /** The last answer confirmed the page. */
    UP_TO_DATE,
    /** The page could not be confirmed. */
    STALE
}

/** Why a poll brought nothing; [PageException.message] says it in a sentence. */
enum class ErrorKind {
    /** No answer came: no network, no such host, no trust, too late. */
    UNREACHABLE,
    /** The server answered with a problem. */
    REFUSED,
    /** The answer is not of this contract. */
    UNREADABLE,
    /** The answer is older than the page that is held, and so was the one asked for past caches. */
    DROPPED,
    /** The same for long: the server's database was made anew. [PageClient.reset] takes what it has. */
    OTHER_HISTORY,
    /** No pinned key signed the answer. */
    UNVERIFIED
}

/**
 * Why a poll brought nothing. The page that is held stays good to show.
 * @property status the HTTP status of a refusal
 * @property code a refusal's stable name: `unknown-page`
 * @property requestID by which the server's log knows the request
 * @property retryAfter for how many seconds the server asks to be left alone
 * @property reason why an answer is not verified
 */
class PageException(
    val kind: ErrorKind, message: String, val status: Int? = null, val code: String? = null,
    val requestID: String? = null, val retryAfter: Double? = null, val reason: SignatureFailure? = null
) : Exception(message)

/**
 * What there is to show, and how far it can be trusted.
 * @property page the page to show
 * @property since the date when the server last said that this is the page, in milliseconds; `null` when never
 * @property error why the last poll brought nothing
 * @property retryIn after how many seconds the client asks again by itself; `null` without an error
 * @property update what led here; `null` when the page is the same, or was there from the start
 */
data class PageState(
    val standing: Standing, val page: Page?, val since: Double?, val error: PageException?, val retryIn: Double?,
    val update: PageUpdate? = null
)

/**
 * When to ask again, in seconds.
 * @property pauseMin between two polls, whatever calls for them
 * @property pauseMax the longest pause after failures
 * @property spread the least random delay
 * @property maxAge how long an answer holds that does not say
 * @property keepMin how old the kept confirmation of a page may be
 * @property keepMax how long a storage is waited for, at the start and before a page is shown; what it loads later is
 *   still shown if there is no page by then
 * @property lagMax how long answers are older before the server has another history
 */
class Timing(
    val pauseMin: Double = 1.0, val pauseMax: Double = 300.0, val spread: Double = 1.0, val maxAge: Double = 30.0,
    val keepMin: Double = 60.0, val keepMax: Double = 2.0, val lagMax: Double = 600.0
)

/**
 * Which page a client polls.
 * @property server where the public listener is: `https://home.example.com`
 * @property parameters what the app tells of itself: `platform`, `appVersion`, `locale`, `bucket`, attributes, `preview`
 * @property wait for how many seconds the server may hold a poll until the page changes; 0 polls at intervals
 * @property timeout how many seconds an answer may take, what the server holds it not counted
 * @property clientKey the key that the server may ask its clients for; redirects are not followed with one
 * @property bodyMax the most bytes of an answer, unpacked
 * @property bundled the text of a page that came with the app, as a server answered it: shown until there is another one
 */
class PageSettings(
    val server: String, val page: String = "home", val parameters: Map<String, String> = emptyMap(),
    val wait: Int = 0, val timeout: Double = 20.0, val clientKey: String? = null, val bodyMax: Int = 32 shl 20,
    val signatures: Signatures? = null, val timing: Timing = Timing(), val bundled: String? = null
)

/** Which of a server's states an answer is of: the generation first, then the revision. */
internal data class Edition(val generation: Long, val number: Long) : Comparable<Edition> {
    override fun compareTo(other: Edition): Int = compareValuesBy(this, other, { it.generation }, { it.number })

    companion object {
        private val form = Regex("([0-9]{1,15})\\.([0-9]{1,15})")

        fun of(text: String?): Edition? =
            form.matchEntire(text ?: "")?.destructured?.let { (one, other) -> Edition(one.toLong(), other.toLong()) }

        fun isBefore(text: String?, than: String?): Boolean {
            val one = of(text) ?: return false
            return one < (of(than) ?: return false)
        }
    }
}
