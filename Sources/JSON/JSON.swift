/// A JSON value (RFC 8259) whose objects are kept in canonical member order and whose numbers keep their value.
public enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSON])
  case object(JSONObject)
}
