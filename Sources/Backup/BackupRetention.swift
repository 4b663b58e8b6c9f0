/// Which series of a target no restore needs any more.
struct BackupRetention {
  let target: any BackupTarget
  /// How many days back a restore may go.
  let daysKept: Int

  /// For how long a series that is not complete may be one that somebody still sends.
  private static let unfinishedMax: Int64 = 86_400_000

  /// Removes the series before one that is whole since before the days that are kept, and those that were left unfinished.
  ///
  /// - Parameters:
  ///   - making: Series that stay.
  ///   - note: Is told of each that was removed.
  func apply(at now: BackupMoment, sparing making: Set<String>, _ note: (String) -> Void) throws(TargetFailure) {
    let before = now.adding(milliseconds: -Int64(daysKept) * 86_400_000)
    let abandoned = now.adding(milliseconds: -Self.unfinishedMax)
    var hasLater = false
    for series in try BackupRestore.series(at: target).reversed() {
      let list = try PieceList(series, at: target)
      let began = BackupPiece.beginning(of: series)
      let isAbandoned = list.firstStep == nil && began.map { $0 < abandoned } ?? false
      if hasLater || isAbandoned, !making.contains(series) {
        // The last one first, so that what is left can be restored if this ends in the midst.
        for (sequence, isEnd) in list.pieces.reversed() {
          try target.remove(BackupPiece.name(series, sequence, isEnd: isEnd))
        }
        // A folder without pieces goes as well.
        if list.pieces.isEmpty { try target.remove(BackupPiece.name(series, 0, isEnd: false)) } else { note(series) }
      } else if let first = list.firstStep, list.gap == nil, let began, began < before {
        let name = BackupPiece.name(series, first, isEnd: true)
        if let bytes = try target.get(name), try BackupPiece(bytes, named: name).at < before { hasLater = true }
      }
    }
  }
}
