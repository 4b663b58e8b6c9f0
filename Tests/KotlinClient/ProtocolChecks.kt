// The vectors of docs/protocol.md that need no client.

import hearth.client.Bucket
import hearth.client.Json
import hearth.client.Page

private fun vectors(name: String) =
    Json.elements(Json.members(Json.read(textOf("ClientCases/protocol/vectors.json")))[name]).map { Json.members(it) }

fun checkProtocol() {
    check("strings and numbers are written as servers write them") {
        for (case in vectors("strings")) equal(Json.write(case["value"]), case["text"])
        // A number stays as it came.
        for (case in vectors("numbers")) equal(Json.write(Json.read(case["text"] as String)), case["text"])
    }
    check("what is no JSON is refused, and so is what would cost time or the stack") {
        val texts = listOf(
            "", "{", "[1,]", "{\"a\":1,}", "\"", "\"\\x\"", "\"\\u12\"", "\"\\u+123\"", "\"\n\"", "01", "1.", "nul",
            "1 2", "1e999999999", "[".repeat(65) + "]".repeat(65), "[".repeat(1_000_000))
        for (text in texts) fails<hearth.client.JsonException>(text.take(40)) { Json.read(text) }
        equal(Json.write(Json.read(" { \"b\" : [ 1.50 , -0 , \"\\u00e9\\/\" ] , \"a\" : null } ")),
            "{\"a\":null,\"b\":[1.50,-0,\"é/\"]}")
    }
    check("a page agrees with its hash or is refused, and is written as it came") {
        for (case in vectors("pages")) {
            val text = case["text"] as String
            val id = Json.members(Json.read(text))["page"] as String
            if (case["agrees"] == true) equal(Page.read(text, id).text, text)
            else fails<hearth.client.JsonException>(case["name"] as String) { Page.read(text, id) }
        }
    }
    check("a device has the bucket that it has everywhere") {
        for (each in Json.elements(Json.members(Json.read(textOf("ClientCases/protocol/buckets.json")))["cases"])) {
            val case = Json.members(each)
            equal(Bucket.of(case["id"] as String, case["salt"] as String), (case["bucket"] as Number).toInt())
        }
    }
}

/** Vectors of change sets. */
fun checkChanges() {
    fun page(text: Any?) = Page.read(text as String, Json.members(Json.read(text))["page"] as String)
    fun changes(text: Any?) = Json.members(Json.read(text as String))
    for (case in vectors("changes")) {
        check("changes: ${case["name"]}") {
            val next = hearth.client.Changes.applied(page(case["old"]), changes(case["changes"]))
            equal(next.text, case["new"])
            // What a client finds itself is what the server finds.
            val found = hearth.client.Changes.between(page(case["old"]), page(case["new"]))
            equal(hearth.client.Changes.applied(page(case["old"]), changes(Json.write(found))).text, case["new"])
        }
    }
    for (case in vectors("refused")) {
        check("changes: ${case["name"]}") {
            fails<hearth.client.JsonException>(case["name"] as String) {
                val next = hearth.client.Changes.applied(page(case["old"]), changes(case["changes"]))
                Page.read(next.text, next.id)
            }
        }
    }
}
