/// An object's members, sorted by name (UTF-8 order), each name once.
public struct JSONObject: Hashable, Sendable {
  /// The members in ascending order of their names.
  public private(set) var members: [Member]

  /// One name and its value.
  public struct Member: Hashable, Sendable {
    /// The member's name.
    public let name: String
    /// The member's value.
    public var value: JSON

    /// A member.
    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// An object without members.
  public init() { members = [] }

  /// The value of a member; setting `nil` removes the member.
  public subscript(name: String) -> JSON? {
    get {
      let at = position(of: name)
      return at < members.count && members[at].name == name ? members[at].value : nil
    }
    set {
      let at = position(of: name)
      let found = at < members.count && members[at].name == name
      switch (newValue, found) {
      case (let value?, true): members[at].value = value
      case (let value?, false): members.insert(Member(name, value), at: at)
      case (nil, true): members.remove(at: at)
      case (nil, false): break
      }
    }
  }

  private func position(of name: String) -> Int {
    var low = 0
    var high = members.count
    while low < high {
      let middle = (low + high) / 2
      if members[middle].name < name { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
