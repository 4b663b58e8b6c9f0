extension Page {
  /// The page after a change set: the exact inverse of ``ChangeSet/changes(from:to:)``.
  ///
  /// - Throws: ``PayloadError`` when the set is for another page or version, or does not fit.
  public func applying(_ changes: ChangeSet) throws(PayloadError) -> Page {
    guard changes.page == id else { throw PayloadError("/page", "the set is for the page \(changes.page)") }
    guard changes.from == version else { throw PayloadError("/from", "the set applies to \(changes.from)") }
    var page = try changed(changes.set, changes.unset)
    page.version = changes.to
    page.sections = try sections.applying(changes.sections)
    return page
  }
}

extension Array where Element: DescribedElement {
  /// The list after changes.
  ///
  /// - Throws: ``PayloadError`` when a position is not there, or there twice.
  func applying(_ changes: ListChanges<Element>) throws(PayloadError) -> [Element] {
    var old: [Element?] = self
    for update in changes.updates {
      guard let element = old[checked: update.at] ?? nil else { throw .position(update.at) }
      old[update.at] = try element.applying(update)
    }
    var arriving: [Int: Element] = [:]
    for position in changes.deletes {
      guard old[checked: position] ?? nil != nil else { throw .position(position) }
      old[position] = nil
    }
    for move in changes.moves {
      guard let element = old[checked: move.from] ?? nil, arriving.updateValue(element, forKey: move.to) == nil else {
        throw .position(move.from)
      }
      old[move.from] = nil
    }
    for insert in changes.inserts where arriving.updateValue(insert.element, forKey: insert.at) != nil {
      throw .position(insert.at)
    }
    var resting = old.compactMap { $0 }[...]
    let count = resting.count + arriving.count
    guard arriving.keys.allSatisfy({ (0..<count).contains($0) }) else { throw .position(count) }
    var new: [Element] = []
    new.reserveCapacity(count)
    for position in 0..<count {
      if let element = arriving[position] {
        new.append(element)
      } else if let element = resting.popFirst() {
        new.append(element)
      }
    }
    return new
  }
}

extension Array {
  fileprivate subscript(checked position: Int) -> Element? { indices.contains(position) ? self[position] : nil }
}

extension DescribedElement {
  fileprivate func applying(_ update: ListChanges<Self>.Update) throws(PayloadError) -> Self {
    var element = try changed(update.set, update.unset)
    if let changes = update.nested { element.nested = try nested.applying(changes) }
    return element
  }
}

extension PayloadError {
  fileprivate static func position(_ position: Int) -> PayloadError {
    PayloadError("", "the position \(position) is not there, or there twice")
  }
}
