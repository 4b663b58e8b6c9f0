/// The size of an AVIF: the greatest that its boxes and bitstreams tell.
///
/// Tiles and alpha planes are not larger than the picture, so the greatest extent is its own (ISO/IEC 23008-12,
/// `ispe`). A grid and a bitstream that are larger than every extent contradict it, and so does a track.
enum AVIFSize {
  private typealias Size = (width: Int, height: Int)
  private static let sideMax = 65_535
  /// The most parts of a bitstream that are looked at: a still picture has a handful.
  private static let unitsMax = 32

  static func read(_ octets: Octets) -> (width: Int, height: Int)? {
    guard let meta = octets.box("meta", from: 0, to: octets.count),
      let properties = octets.box("iprp", from: meta.lowerBound + 4, to: meta.upperBound),
      let container = octets.box("ipco", from: properties.lowerBound, to: properties.upperBound)
    else { return nil }
    var largest: Size?
    var turns = 0
    var isTooLarge = false
    var held: [Size] = []
    octets.forEachBox(from: container.lowerBound, to: container.upperBound) { name, body in
      switch name {
      case "irot": turns = octets.big(1, at: body.lowerBound) ?? 0
      case "av1C": held += bitstream(octets, from: body.lowerBound + 4, to: body.upperBound)
      case "ispe":
        guard let width = octets.big(4, at: body.lowerBound + 4), let height = octets.big(4, at: body.lowerBound + 8)
        else { return }
        // No area of them is a number that is too great.
        guard max(width, height) <= sideMax else { return isTooLarge = true }
        if let found = largest, found.width * found.height >= width * height { return }
        largest = (width, height)
      default: break
      }
    }
    let box = (from: meta.lowerBound + 4, to: meta.upperBound)
    let idat = octets.box("idat", from: box.from, to: box.to)
    let grids = octets.items(ofType: "grid", in: box)
    guard let extents = octets.extents(in: box, idat: idat) else { return nil }
    for (id, start, end) in extents {
      held += grids.contains(id) ? grid(octets, at: start, to: end) : bitstream(octets, from: start, to: end)
    }
    if let movie = octets.box("moov", from: 0, to: octets.count) { held += tracks(octets, movie) }
    guard !isTooLarge, let largest, held.allSatisfy({ $0.width <= largest.width && $0.height <= largest.height }) else {
      return nil
    }
    return turns & 1 == 1 ? (largest.height, largest.width) : largest
  }

  /// What a grid puts together (ISO/IEC 23008-12 §6.6.2.3.2).
  private static func grid(_ octets: Octets, at start: Int, to end: Int) -> [Size] {
    let length = (octets.big(1, at: start + 1) ?? 0) & 1 == 1 ? 4 : 2
    guard start + 4 + 2 * length <= end, let width = octets.big(length, at: start + 4),
      let height = octets.big(length, at: start + 4 + length)
    else { return [] }
    return [(width, height)]
  }

  /// What the tracks of a sequence say (ISO/IEC 14496-12, a visual sample entry).
  private static func tracks(_ octets: Octets, _ movie: Range<Int>) -> [Size] {
    var found: [Size] = []
    func walk(_ start: Int, _ end: Int) {
      octets.forEachBox(from: start, to: end) { name, body in
        switch name {
        case "trak", "mdia", "minf", "stbl": walk(body.lowerBound, body.upperBound)
        case "stsd": walk(body.lowerBound + 8, body.upperBound)
        case "av01":
          if let width = octets.big(2, at: body.lowerBound + 24), let height = octets.big(2, at: body.lowerBound + 26) {
            found.append((width, height))
          }
          walk(body.lowerBound + 78, body.upperBound)
        case "av1C": found += bitstream(octets, from: body.lowerBound + 4, to: body.upperBound)
        default: break
        }
      }
    }
    walk(movie.lowerBound, movie.upperBound)
    return found
  }

  /// What the sequence headers in a bitstream say (AV1 §5.3, §5.5).
  private static func bitstream(_ octets: Octets, from start: Int, to end: Int) -> [Size] {
    var found: [Size] = []
    var at = start
    for _ in 0..<unitsMax {
      guard at < end, let header = octets.big(1, at: at), header & 0x80 == 0 else { break }
      at += header & 0x04 == 0 ? 1 : 2
      var length = end - at
      if header & 0x02 != 0 {
        guard let told = octets.leb128(from: &at) else { break }
        length = min(told, end - at)
      }
      guard length >= 0 else { break }
      if header >> 3 & 0x0F == 1 {
        var bits = Bits(octets: octets, at: at * 8, end: (at + length) * 8)
        if let size = bits.sequenceSize() { found.append(size) }
      }
      at += length
    }
    return found
  }
}

/// Bits that are read one after the other, the greatest first.
private struct Bits {
  let octets: Octets
  var at: Int
  let end: Int

  mutating func number(_ count: Int) -> Int? {
    guard at + count <= end else { return nil }
    var number = 0
    for bit in at..<(at + count) { number = number << 1 | Int(octets.bytes[bit / 8] >> UInt8(7 - bit % 8)) & 1 }
    at += count
    return number
  }

  /// A number whose leading zeros say how long it is (`uvlc`); only passed over.
  private mutating func skipVariable() {
    var zeros = 0
    while zeros < 32, number(1) == 0 { zeros += 1 }
    _ = number(zeros)
  }

  /// The greatest frame that a sequence header allows (AV1 §5.5.1).
  mutating func sequenceSize() -> (width: Int, height: Int)? {
    guard number(4) != nil, let isReduced = number(1) else { return nil }
    if isReduced == 1 {
      _ = number(5)
    } else {
      skipTiming()
    }
    guard let widthBits = number(4), let heightBits = number(4), let width = number(widthBits + 1),
      let height = number(heightBits + 1)
    else { return nil }
    return (width + 1, height + 1)
  }

  private mutating func skipTiming() {
    var delayLength: Int?
    if number(1) == 1 {
      _ = number(32)
      _ = number(32)
      if number(1) == 1 { skipVariable() }
      if number(1) == 1 {
        delayLength = (number(5) ?? 0) + 1
        _ = number(32)
        _ = number(10)
      }
    }
    let saysDisplay = number(1) == 1
    for _ in 0...(number(5) ?? 0) {
      _ = number(12)
      if let level = number(5), level > 7 { _ = number(1) }
      if let delayLength, number(1) == 1 {
        _ = number(delayLength)
        _ = number(delayLength)
        _ = number(1)
      }
      if saysDisplay, number(1) == 1 { _ = number(4) }
    }
  }
}

extension Octets {
  /// A number of seven bits an octet, the lowest first.
  fileprivate func leb128(from at: inout Int) -> Int? {
    var number = 0
    for position in 0..<5 {
      guard let octet = big(1, at: at) else { return nil }
      at += 1
      number |= (octet & 0x7F) << (7 * position)
      if octet < 0x80 { return number }
    }
    return nil
  }

  /// The ids of the items of a type (ISO/IEC 14496-12, `infe` of version 2 and 3).
  fileprivate func items(ofType type: String, in meta: (from: Int, to: Int)) -> Set<Int> {
    guard let list = box("iinf", from: meta.from, to: meta.to), let version = big(1, at: list.lowerBound) else {
      return []
    }
    var ids: Set<Int> = []
    forEachBox(from: list.lowerBound + (version == 0 ? 6 : 8), to: list.upperBound) { name, body in
      guard name == "infe", let version = big(1, at: body.lowerBound) else { return }
      let length = version == 3 ? 4 : 2
      if let id = big(length, at: body.lowerBound + 4), has(type, at: body.lowerBound + 6 + length) { ids.insert(id) }
    }
    return ids
  }

  /// The most items: a grid of 64 by 64 tiles has as many.
  private static let itemsMax = 4_100

  /// Where the data of items begins and ends (ISO/IEC 14496-12, `iloc`): of each its first part, which has the heads.
  ///
  /// - Returns: `nil` where there are too many.
  fileprivate func extents(
    in meta: (from: Int, to: Int), idat: Range<Int>?
  ) -> [(id: Int, start: Int, end: Int)]? {
    guard let list = box("iloc", from: meta.from, to: meta.to), let version = big(1, at: list.lowerBound),
      let sizes = big(2, at: list.lowerBound + 4)
    else { return [] }
    let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexSize = version > 0 ? sizes & 15 : 0
    let idSize = version == 2 ? 4 : 2
    var at = list.lowerBound + 6
    var found: [(id: Int, start: Int, end: Int)] = []
    func next(_ size: Int) -> Int? {
      guard size <= 8, at + size <= list.upperBound, let number = big(size, at: at), number >= 0 else { return nil }
      at += size
      return number
    }
    guard let count = next(idSize) else { return [] }
    guard count <= Self.itemsMax else { return nil }
    for _ in 0..<count {
      guard let id = next(idSize), let method = version > 0 ? next(2) : 0, next(2) != nil, let base = next(baseSize),
        let parts = next(2)
      else { return found }
      // Parts of no size take no place in the list either: there may be no end of them.
      let isEmpty = indexSize + offsetSize + lengthSize == 0
      for part in 0..<(isEmpty ? min(parts, 1) : parts) {
        guard next(indexSize) != nil, let offset = next(offsetSize), let length = next(lengthSize) else { return found }
        guard part == 0, method & 15 < 2 else { continue }
        let whole = method & 15 == 1 ? idat ?? 0..<0 : 0..<bytes.count
        let (start, isTooFar) = base.addingReportingOverflow(offset)
        guard !isTooFar, start < whole.count else { continue }
        let end = length == 0 ? whole.count : start + min(length, whole.count - start)
        found.append((id, whole.lowerBound + start, whole.lowerBound + end))
      }
    }
    return found
  }
}
