package hearth.client

import java.io.ByteArrayOutputStream
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.util.concurrent.CountDownLatch
import java.util.concurrent.ScheduledThreadPoolExecutor
import java.util.concurrent.ThreadFactory
import java.util.concurrent.TimeUnit
import java.util.zip.GZIPInputStream

/** Ends what somebody waits for, once and for good. */
class Signal {
    private val latch = CountDownLatch(1)
    private val endings = ArrayList<() -> Unit>()
    val isRaised: Boolean get() = latch.count == 0L

    fun raise() {
        val all = synchronized(endings) {
            latch.countDown()
            endings.toList().also { endings.clear() }
        }
        for (ending in all) ending()
    }

    /** Does something when it is raised: at once, if it is. */
    fun whenRaised(ending: () -> Unit) {
        if (!synchronized(endings) { isRaised || !endings.add(ending) }) return
        ending()
    }

    /** Waits for so long, in milliseconds, or until it is raised. */
    fun await(milliseconds: Double) { latch.await(Math.ceil(milliseconds).toLong(), TimeUnit.MILLISECONDS) }
}

/**
 * What is asked for.
 * @property seconds how long the whole answer may take
 * @property bodyMax the most bytes of its body, unpacked
 */
class PageRequest(
    val url: String, val headers: Map<String, String>, val seconds: Double, val bodyMax: Int,
    val followsRedirects: Boolean = true
)

/** What came: a status, fields (several of a name joined by commas), and the text of the body. */
class PageAnswer(val status: Int, fields: Map<String, String>, val body: String) {
    private val fields = java.util.TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER).apply { putAll(fields) }
    operator fun get(name: String): String? = fields[name]
}

/** A body of more bytes than a client reads. */
class TooLongException(bytesMax: Int) : IOException("it has more than $bytesMax bytes")

/** Sends a request and waits for its whole answer, or for the signal. */
interface Transport {
    /** Throws an [IOException] when no whole answer comes. */
    fun send(request: PageRequest, signal: Signal): PageAnswer
}

/** The platform's HttpURLConnection. */
class HttpTransport : Transport {
    override fun send(request: PageRequest, signal: Signal): PageAnswer {
        val connection = URL(request.url).openConnection() as HttpURLConnection
        val isOver = Signal()
        // Android forbids the main thread, which raises signals, to close a connection.
        val end = { if (!isOver.isRaised) connection.disconnect() }
        signal.whenRaised { timer.execute(end) }
        // However slowly it comes, an answer has so much time; readTimeout is only for each byte.
        val milliseconds = (request.seconds * 1000).toLong()
        val deadline = timer.schedule(end, milliseconds, TimeUnit.MILLISECONDS)
        try {
            connection.connectTimeout = milliseconds.toInt()
            connection.readTimeout = milliseconds.toInt()
            connection.instanceFollowRedirects = request.followsRedirects
            connection.useCaches = false
            connection.setRequestProperty("Accept-Encoding", "gzip")
            for ((name, value) in request.headers) connection.setRequestProperty(name, value)
            connection.connect()
            if (signal.isRaised) throw IOException("it was given up")
            val status = connection.responseCode
            if (status < 100) throw IOException("it is no HTTP")
            val fields = connection.headerFields.filterKeys { it != null }.mapValues { it.value.joinToString(", ") }
            val answer = PageAnswer(status, fields, "")
            return PageAnswer(status, fields, String(bodyOf(connection, answer, request.bodyMax)))
        } catch (problem: RuntimeException) {
            // Platforms throw those for what a server should not have sent.
            throw IOException(problem)
        } finally {
            isOver.raise()
            deadline.cancel(false)
        }
    }

    /** Reads to the end, so that the connection can be used again, or closes it. */
    private fun bodyOf(connection: HttpURLConnection, answer: PageAnswer, bytesMax: Int): ByteArray {
        val bytes = ByteArrayOutputStream()
        try {
            val coding = answer["Content-Encoding"]?.trim() ?: "identity"
            val sent = (if (answer.status >= 400) connection.errorStream else connection.inputStream) ?: return ByteArray(0)
            if (answer.status == 304 || answer.status == 204) return ByteArray(0)
            val isPacked = coding.equals("gzip", ignoreCase = true)
            if (!isPacked && !coding.equals("identity", ignoreCase = true)) throw IOException("its coding is $coding")
            val stream = if (isPacked) GZIPInputStream(sent) else sent
            val part = ByteArray(16_384)
            while (true) {
                val count = stream.read(part)
                if (count < 0) break
                if (bytes.size() + count > bytesMax) throw TooLongException(bytesMax)
                bytes.write(part, 0, count)
            }
            val length = answer["Content-Length"]?.trim()?.toLongOrNull()
            if (!isPacked && length != null && length != bytes.size().toLong()) throw IOException("it was cut")
            return bytes.toByteArray()
        } catch (problem: Exception) {
            connection.disconnect()
            throw problem
        }
    }

    private companion object {
        val timer = ScheduledThreadPoolExecutor(1, ThreadFactory { task ->
            Thread(task, "hearth-timer").apply { isDaemon = true }
        }).apply { removeOnCancelPolicy = true }
    }
}

/** The time, and waiting; tests have another one. */
interface Clock {
    /** Milliseconds that no change of the date moves. */
    fun now(): Double
    /** Milliseconds since 1970. */
    fun date(): Double
    /** Waits for so many milliseconds, or until the signal is raised. */
    fun sleep(milliseconds: Double, signal: Signal)
}

/** The clock of the system. */
object SystemClock : Clock {
    override fun now(): Double = System.nanoTime() / 1e6
    override fun date(): Double = System.currentTimeMillis().toDouble()
    override fun sleep(milliseconds: Double, signal: Signal) = signal.await(milliseconds)
}
