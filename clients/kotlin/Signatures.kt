package hearth.client

import java.security.GeneralSecurityException
import java.security.KeyFactory
import java.security.MessageDigest
import java.security.NoSuchAlgorithmException
import java.security.Signature
import java.security.spec.X509EncodedKeySpec
import java.util.Base64

/** Why nobody signed that an answer is the page to show. */
enum class SignatureFailure(internal val sentence: String) {
    UNSIGNED("it is not signed"),
    UNREADABLE("its signature is not one of a page"),
    UNKNOWN_KEY("it is signed by a key that is not pinned"),
    WRONG_SIGNATURE("the key that it names did not make its signature"),
    OTHER_CONTENT("its signature is of other content"),
    NOT_YET("its signature is to come by the clock of this device"),
    EXPIRED("its signature is over"),
    UNSUPPORTED("this device verifies no Ed25519")
}

/** Who signed the page that is shown: the key's id, or why nobody did. */
data class Verification(val keyID: String?, val reason: SignatureFailure?)

/** Verifies Ed25519 (RFC 8032). */
interface SignatureVerifier {
    /** Whether a key of 32 bytes made a signature of 64; throws a [GeneralSecurityException] when it cannot tell. */
    fun verifies(key: ByteArray, signature: ByteArray, message: ByteArray): Boolean
}

/** What the platform has: Java 15, Android 13 (API 33). On older ones pass a verifier of a library's. */
object SystemVerifier : SignatureVerifier {
    /** What stands before the bytes of a key (RFC 8410). */
    private val head = byteArrayOf(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00)

    override fun verifies(key: ByteArray, signature: ByteArray, message: ByteArray): Boolean {
        val public = KeyFactory.getInstance("Ed25519").generatePublic(X509EncodedKeySpec(head + key))
        return Signature.getInstance("Ed25519").run {
            initVerify(public)
            update(message)
            try { verify(signature) } catch (problem: java.security.SignatureException) { false }
        }
    }
}

/**
 * The keys that sign the server's pages (RFC 9421). One object is for one client.
 * @param mode whether what does not verify is dropped, or shown and told of by [verification]
 * @param keys 1 to 4, each as `hearth keys list` prints it
 * @param clockSkew seconds by which clocks may differ
 */
class Signatures(
    val mode: Mode, keys: List<String>, private val clockSkew: Int = 300,
    private val verifier: SignatureVerifier = SystemVerifier
) {
    enum class Mode { REPORT, REQUIRE }

    /** Who signed the page that is shown; `null` before there is one. */
    @Volatile var verification: Verification? = null
        private set

    private val keys: Map<String, ByteArray>
    /** The highest edition that each key signed. */
    private val highest = HashMap<String, String>()

    /** The page that was taken last, with the fields that sign it. */
    private class Kept(val version: String, val text: String, val signed: Map<String, String>?)
    private var kept: Kept? = null

    init {
        val bytes = keys.map { bytesOf(it, 32) }
        require(keys.size in 1..4 && keys.toSet().size == keys.size && null !in bytes) {
            "1 to 4 different keys can be pinned, each as hearth keys list prints it: base64 of 32 bytes"
        }
        this.keys = bytes.filterNotNull().associateBy { hexadecimal(digest(it).copyOf(8)) }
    }

    private class Verdict(
        val reason: SignatureFailure?, val keyIDs: List<String>, val isOfPage: Boolean, val revision: String?)

    private class Judged(
        val answer: PageAnswer, val verdict: Verdict, val text: String?, val fits: Boolean = true)

    /** An answer that may be used, and what to do once it is. */
    internal class Checked(val answer: PageAnswer, val take: () -> Unit)

    /**
     * Asks for signatures, and passes on what may be used; asks once more for the whole page if changes do not match it.
     * @param held the page that changes are asked of
     * @param date milliseconds since 1970
     */
    internal fun send(
        page: String, held: Page?, headers: Map<String, String>, date: Double, ask: (Map<String, String>) -> PageAnswer
    ): Checked {
        val whole = headers - listOf("If-None-Match", "A-IM", "Prefer")
        // What cannot be written as the server does cannot be verified after changes.
        val first = when {
            held == null || synchronized(this) { kept?.version } != held.version -> whole
            held.isExact -> headers
            else -> headers - "A-IM"
        }
        fun asked(headers: Map<String, String>) = judge(
            page, held.takeIf { "If-None-Match" in headers }, ask(headers + mapOf("Accept-Signature" to accepted)), date)
        var judged = asked(first)
        if (!judged.fits) judged = asked(whole)
        val isOver = judged.verdict.reason == SignatureFailure.EXPIRED && mode == Mode.REQUIRE
        // From a cache on the way, or from a server that lags behind.
        if (isOlder(judged.verdict) || isOver) judged = asked(whole + mapOf("Cache-Control" to "no-cache"))
        val (reason, revision) = judged.verdict.run { Pair(reason, revision) }
        if (!judged.fits) throw PageException(ErrorKind.UNREADABLE, "the answer is no page, though nothing else was asked for")
        if (isOlder(judged.verdict)) {
            throw PageException(
                ErrorKind.DROPPED, "the answer is of the edition $revision, and the same key signed a later one")
        }
        if (reason != null && judged.text != null && mode == Mode.REQUIRE) {
            throw PageException(ErrorKind.UNVERIFIED, "the answer is not taken: ${reason.sentence}", reason = reason)
        }
        return Checked(judged.answer) { if (judged.text != null) note(judged) }
    }

    private fun isOlder(verdict: Verdict): Boolean = synchronized(this) {
        verdict.keyIDs.isNotEmpty() && verdict.keyIDs.all { Edition.isBefore(verdict.revision, highest[it]) }
    }

    private fun judge(id: String, held: Page?, answer: PageAnswer, date: Double): Judged {
        val none = Verdict(null, emptyList(), false, answer["Hearth-Revision"])
        val text = try {
            when {
                answer.status == 200 -> answer.body
                answer.status == 304 && held != null -> textOf(held)
                answer.status == 226 && held != null && answer["IM"].equals("hearth-changes", ignoreCase = true) ->
                    Changes.applied(held, Json.members(Json.read(answer.body))).text
                else -> null
            }
        } catch (problem: JsonException) {
            null
        }
        // Changes, and that there are none, are of a page that was taken.
        if (text == null) return Judged(answer, none, null, answer.status != 226 && answer.status != 304)
        val tag = if (answer.status == 304) "W/\"${held?.version}\"" else null
        val verdict = check({ answer[it] }, tag, text, date)
        if (answer.status == 200) {
            val isPage = verdict.reason == null ||
                try { Page.read(text, id); true } catch (problem: JsonException) { false }
            return Judged(answer, verdict, if (isPage) text else null)
        }
        // Where the page is shown all the same, it would be asked for twice each time.
        val fits = verdict.reason == null || verdict.reason == SignatureFailure.EXPIRED || mode == Mode.REPORT &&
            verdict.reason != SignatureFailure.WRONG_SIGNATURE && verdict.reason != SignatureFailure.OTHER_CONTENT
        return Judged(answer, verdict, text, fits)
    }

    /** The text of a page that was taken is at hand. */
    private fun textOf(held: Page): String =
        synchronized(this) { kept }?.takeIf { it.version == held.version }?.text ?: held.text

    private fun note(judged: Judged) = synchronized(this) {
        val (answer, verdict) = Pair(judged.answer, judged.verdict)
        for (id in verdict.keyIDs) {
            if (verdict.revision != null && !Edition.isBefore(verdict.revision, highest[id])) highest[id] = verdict.revision
        }
        val signed = if (!verdict.isOfPage) null else
            fieldNames.mapNotNull { name -> answer[name]?.let { Pair(name, it) } }.toMap()
        if (answer.status != 304) hold(judged.text ?: "", signed)
        else if (signed != null) kept = kept?.let { Kept(it.version, it.text, signed) }
        say(verdict)
    }

    private fun hold(text: String, signed: Map<String, String>?) { kept = Kept(versionOf(text), text, signed) }

    private fun say(verdict: Verdict) {
        verification = Verification(if (verdict.reason == null) verdict.keyIDs.first() else null, verdict.reason)
    }

    internal fun forget() = synchronized(this) {
        highest.clear()
        kept = null
        verification = null
    }

    /** What stands before a record, so that the page is verified when it is read. */
    internal fun markOf(version: String): String = synchronized(this) {
        val signed = kept?.takeIf { it.version == version }?.signed
        "$mark${Json.write(mapOf("signed" to signed, "highest" to highest))}\n"
    }

    /** Throws for a record that is not to be shown. */
    internal fun admit(record: String, text: String) = synchronized(this) {
        var signed = emptyMap<String, Any?>()
        if (record.startsWith(mark)) {
            val head = Json.members(Json.read(record.substring(mark.length, record.indexOf('\n'))))
            for ((id, revision) in Json.members(head["highest"])) {
                val isHigher = id in keys && Edition.of(revision as? String) != null &&
                    !Edition.isBefore(revision as String, highest[id])
                if (isHigher) highest[id] = revision as String
            }
            signed = Json.members(head["signed"])
        }
        // A page that was kept stays good to show when its signature is over.
        val verdict = check({ signed[it] as? String }, null, text, null)
        if (verdict.reason != null && mode == Mode.REQUIRE) throw JsonException(verdict.reason.sentence)
        val fields = signed.mapValues { it.value.toString() }
        hold(text, if (verdict.reason == null) fields else null)
        say(verdict)
    }

    private class Claim(
        val parameters: String, val signature: ByteArray, val isOfPage: Boolean, val created: Long, val expires: Long,
        val id: String)

    /**
     * Checks the signatures of an answer, of which one is enough.
     * @param tag of the page that is held, when the answer says that it is the one to show
     * @param text of the page that the answer comes to
     * @param date milliseconds; `null` for a page that was kept
     */
    private fun check(field: (String) -> String?, tag: String?, text: String, date: Double?): Verdict {
        val revision = field("Hearth-Revision")
        fun failed(reason: SignatureFailure) = Verdict(reason, emptyList(), false, revision)
        val input = field("Signature-Input") ?: return failed(SignatureFailure.UNSIGNED)
        val signatures = membersOf(field("Signature") ?: return failed(SignatureFailure.UNSIGNED))
        val claims = membersOf(input).mapNotNull { (label, written) ->
            val parts = form.matchEntire(written)?.groupValues
            val signature = signatures[label]?.takeIf { it.length > 1 && it.startsWith(":") && it.endsWith(":") }
                ?.let { bytesOf(it.substring(1, it.length - 1), 64) }
            if (parts == null || signature == null) null
            else Claim(written, signature, parts[1] != "etag", parts[2].toLong(), parts[3].toLong(), parts[4])
        }.take(8)
        if (claims.isEmpty() || Edition.of(revision) == null) return failed(SignatureFailure.UNREADABLE)
        val known = claims.filter { it.id in keys }
        if (known.isEmpty()) return failed(SignatureFailure.UNKNOWN_KEY)
        val failures = try {
            known.map { failureOf(it, if (it.isOfPage) field("Unencoded-Digest") else tag, revision ?: "", text, date) }
        } catch (problem: GeneralSecurityException) {
            return failed(SignatureFailure.UNSUPPORTED)
        }
        val good = known.indices.filter { failures[it] == null }.map { known[it] }
        if (good.isEmpty()) return failed(failures.filterNotNull().first())
        return Verdict(null, good.map { it.id }, good.any { it.isOfPage }, revision)
    }

    private fun failureOf(
        claim: Claim, validator: String?, revision: String, text: String, date: Double?
    ): SignatureFailure? {
        if (validator == null) return SignatureFailure.OTHER_CONTENT
        val component = if (claim.isOfPage) "unencoded-digest" else "etag"
        val base = "\"$component\": $validator\n\"hearth-revision\": $revision\n\"@signature-params\": ${claim.parameters}"
        val key = keys.getValue(claim.id)
        if (!verifier.verifies(key, claim.signature, base.toByteArray())) return SignatureFailure.WRONG_SIGNATURE
        if (date != null && claim.created > date / 1000 + clockSkew) return SignatureFailure.NOT_YET
        if (date != null && date / 1000 > claim.expires + clockSkew) return SignatureFailure.EXPIRED
        val isOther = claim.isOfPage && validator != "sha-256=:${Base64.getEncoder().encodeToString(sha256(text))}:"
        return if (isOther) SignatureFailure.OTHER_CONTENT else null
    }

    internal companion object {
        const val mark = "hearth-signed "
        /** The one value by which servers are asked for signatures. */
        const val accepted = "sig1=(\"unencoded-digest\" \"hearth-revision\");created;expires;keyid;alg=\"ed25519\""
        /** What a signature says of itself, exactly as the server writes it. */
        private val form = Regex(
            "\\(\"(unencoded-digest|etag)\" \"hearth-revision\"\\)" +
                ";created=([0-9]{1,15});expires=([0-9]{1,15});keyid=\"([0-9a-f]{16})\";alg=\"ed25519\"")
        private val version = Regex("^\\{\"page\":\"(?:[^\"\\\\]|\\\\.)*\",\"version\":\"([^\"]*)\"")
        private val fieldNames = listOf("Signature-Input", "Signature", "Unencoded-Digest", "Hearth-Revision")
        private const val fieldLengthMax = 8192

        private fun digest(bytes: ByteArray) = MessageDigest.getInstance("SHA-256").digest(bytes)

        private fun versionOf(text: String) = version.find(text)?.groupValues?.get(1) ?: ""

        private fun bytesOf(text: String, count: Int): ByteArray? = try {
            Base64.getDecoder().decode(text)
                .takeIf { it.size == count && Base64.getEncoder().encodeToString(it) == text }
        } catch (problem: IllegalArgumentException) {
            null
        }

        /** The labels and values of a field; of a label that is there twice the last counts (RFC 8941 §3.2). */
        private fun membersOf(field: String): Map<String, String> =
            (if (field.length > fieldLengthMax) "" else field).split(',').associate { member ->
                val at = maxOf(0, member.indexOf('='))
                Pair(member.substring(0, at).trimStart(' ', '\t'), member.drop(at + 1).trimEnd(' ', '\t'))
            }
    }
}
