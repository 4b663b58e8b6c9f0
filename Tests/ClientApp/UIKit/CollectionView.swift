// swift-format-ignore-file
// A collection view as far as its layout, its cells and its rules for batch updates go.

@MainActor open class UICollectionViewLayoutAttributes: NSObject {
  open var frame = CGRect.zero
  open var zIndex = 0
  open var isHidden = false
  open private(set) var indexPath = IndexPath()
  /// `nil` for a cell.
  open private(set) var representedElementKind: String?
  public required override init() {}
  public convenience init(forCellWith indexPath: IndexPath) {
    self.init()
    self.indexPath = indexPath
  }
  public convenience init(forDecorationViewOfKind kind: String, with indexPath: IndexPath) {
    self.init()
    (self.indexPath, representedElementKind) = (indexPath, kind)
  }
  nonisolated open func copy(with zone: NSZone? = nil) -> Any { self }
}

@MainActor open class UICollectionViewLayoutInvalidationContext: NSObject {
  public private(set) var invalidatedItemIndexPaths: [IndexPath]?
  public private(set) var invalidatedDecorationIndexPaths: [String: [IndexPath]]?
  open func invalidateItems(at indexPaths: [IndexPath]) { invalidatedItemIndexPaths = indexPaths }
  open func invalidateDecorationElements(ofKind elementKind: String, at indexPaths: [IndexPath]) {
    invalidatedDecorationIndexPaths = (invalidatedDecorationIndexPaths ?? [:]).merging([elementKind: indexPaths]) { $1 }
  }
}

@MainActor open class UICollectionViewLayout: NSObject {
  open internal(set) weak var collectionView: UICollectionView?
  /// How often it was invalidated.
  public private(set) var invalidations = 0
  var decorations: [String: UICollectionReusableView.Type] = [:]
  public override init() {}
  public required init?(coder: NSCoder) { nil }
  open func register(_ viewClass: AnyClass?, forDecorationViewOfKind elementKind: String) {
    decorations[elementKind] = viewClass as? UICollectionReusableView.Type
  }
  open func prepare() {}
  open var collectionViewContentSize: CGSize { .zero }
  open func invalidateLayout() { invalidations += 1 }
  open func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? { nil }
  open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? { nil }
  open func layoutAttributesForDecorationView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { nil }
  open func indexPathsToDeleteForDecorationView(ofKind elementKind: String) -> [IndexPath] { [] }
  open func indexPathsToInsertForDecorationView(ofKind elementKind: String) -> [IndexPath] { [] }
  open func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool { false }
  open func invalidationContext(forBoundsChange newBounds: CGRect) -> UICollectionViewLayoutInvalidationContext {
    UICollectionViewLayoutInvalidationContext()
  }
  open func targetContentOffset(
    forProposedContentOffset proposedContentOffset: CGPoint, withScrollingVelocity velocity: CGPoint
  ) -> CGPoint { proposedContentOffset }
}

open class UICollectionReusableView: UIView {
  open func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {}
  public override required init(frame: CGRect) { super.init(frame: frame) }
  public required init?(coder: NSCoder) { nil }
}

open class UICollectionViewCell: UICollectionReusableView {
  public let contentView = UIView(frame: .zero)
  public required init(frame: CGRect) {
    super.init(frame: frame)
    addSubview(contentView)
  }
  public required init?(coder: NSCoder) { nil }
  open override func layoutSubviews() { contentView.frame = bounds }
  var kind = ""
}

@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
  func numberOfSections(in collectionView: UICollectionView) -> Int
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
  func collectionView(_ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath) -> UICollectionViewCell
}

@MainActor public protocol UICollectionViewDelegate: NSObjectProtocol {
  func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath)
  func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
  func collectionView(
    _ collectionView: UICollectionView, contextMenuConfigurationForItemAt indexPath: IndexPath, point: CGPoint
  ) -> UIContextMenuConfiguration?
}

open class UIScrollView: UIView {
  public struct DecelerationRate: Sendable { public static let fast = Self() }
  open var decelerationRate = DecelerationRate()
  open var showsHorizontalScrollIndicator = true
  open var contentOffset: CGPoint {
    get { bounds.origin }
    set { bounds.origin = newValue }
  }
  open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) { self.contentOffset = contentOffset }
}

open class UICollectionView: UIScrollView {
  open weak var dataSource: (any UICollectionViewDataSource)?
  open weak var delegate: (any UICollectionViewDelegate)?
  open var collectionViewLayout: UICollectionViewLayout
  open var isPrefetchingEnabled = true
  open var backgroundView: UIView?
  private var classes: [String: UICollectionViewCell.Type] = [:]
  private var spare: [UICollectionViewCell] = []
  /// The cells that show, by their places.
  public private(set) var shown: [IndexPath: UICollectionViewCell] = [:]
  /// The decoration views that show, by their kinds and places.
  public private(set) var behind: [String: [IndexPath: UICollectionReusableView]] = [:]
  private var reconfiguring: UICollectionViewCell?
  /// What the view believes to be in each section; `nil` before it asked.
  private var counts: [Int]?
  /// The steps of the batch update under way.
  private var steps: Steps?
  public private(set) var batches = 0

  private struct Steps {
    var deletedSections = IndexSet(), insertedSections = IndexSet(), movedSections: [(Int, Int)] = []
    var deletes: [IndexPath] = [], inserts: [IndexPath] = [], moves: [(IndexPath, IndexPath)] = []
  }

  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    collectionViewLayout = layout
    super.init(frame: frame)
    layout.collectionView = self
  }
  public required init?(coder: NSCoder) { nil }
  open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {
    classes[identifier] = cellClass as? UICollectionViewCell.Type
  }
  open func dequeueReusableCell(withReuseIdentifier identifier: String, for indexPath: IndexPath) -> UICollectionViewCell {
    if let cell = reconfiguring {
      precondition(cell.kind == identifier, "a cell that is reconfigured stays of its kind")
      return cell
    }
    if let place = spare.firstIndex(where: { $0.kind == identifier }) { return spare.remove(at: place) }
    guard let made = classes[identifier]?.init(frame: .zero) else { fatalError("\(identifier) is not registered") }
    made.kind = identifier
    return made
  }
  open func reloadData() {
    spare += shown.values
    for cell in shown.values { cell.removeFromSuperview() }
    (shown, counts) = ([:], nil)
  }
  open var indexPathsForVisibleItems: [IndexPath] { Array(shown.keys) }
  open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? { shown[indexPath] }
  open func reconfigureItems(at indexPaths: [IndexPath]) {
    for path in indexPaths {
      guard let cell = shown[path] else { continue }
      reconfiguring = cell
      let next = dataSource!.collectionView(self, cellForItemAt: path)
      precondition(next === cell)
      reconfiguring = nil
    }
  }

  private var asked: [Int] {
    (0..<dataSource!.numberOfSections(in: self)).map { dataSource!.collectionView(self, numberOfItemsInSection: $0) }
  }
  open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    let old = counts ?? asked
    steps = Steps()
    updates?()
    let made = steps!
    steps = nil
    batches += 1
    let places = order(old.indices, made.deletedSections, made.insertedSections, made.movedSections)
    let new = asked
    precondition(places.count == new.count, "as many sections as the data source has")
    var cells: [IndexPath: UICollectionViewCell] = [:]
    for (place, before) in places.enumerated() {
      guard let before else { continue }
      let from = made.moves.filter { $0.0[0] == before }.map { ($0.0[1], $0.1[1]) }
      let items = order(
        0..<old[before], IndexSet(made.deletes.filter { $0[0] == before }.map { $0[1] }),
        IndexSet(made.inserts.filter { $0[0] == place }.map { $0[1] }), from)
      precondition(items.count == new[place], "as many cells in section \(place) as the data source has")
      for (item, was) in items.enumerated() {
        if let was, let cell = shown[IndexPath(indexes: [before, was])] { cells[IndexPath(indexes: [place, item])] = cell }
      }
    }
    for (kind, views) in behind {
      let leaving = Set(collectionViewLayout.indexPathsToDeleteForDecorationView(ofKind: kind))
      for path in views.keys where !leaving.contains(path) {
        let there = collectionViewLayout.layoutAttributesForDecorationView(ofKind: kind, at: path)
        precondition(there?.isHidden == false, "a decoration view that stays is somewhere")
      }
    }
    let kept = cells.values.map { ObjectIdentifier($0) }
    for cell in shown.values where !kept.contains(ObjectIdentifier(cell)) {
      cell.removeFromSuperview()
      spare.append(cell)
    }
    (counts, shown) = (new, cells)
    completion?(true)
  }
  /// Where what is there afterwards was; `nil` for what comes.
  private func order(_ old: Range<Int>, _ deletes: IndexSet, _ inserts: IndexSet, _ moves: [(Int, Int)]) -> [Int?] {
    let leaving = Set(deletes).union(moves.map(\.0))
    precondition(leaving.count == deletes.count + moves.count && leaving.isSubset(of: Set(old)), "each leaves once")
    var arriving: [Int: Int?] = [:]
    for (from, to) in moves { precondition(arriving.updateValue(from, forKey: to) == nil, "one a place") }
    for insert in inserts { precondition(arriving.updateValue(nil, forKey: insert) == nil, "one a place") }
    var resting = old.filter { !leaving.contains($0) }[...]
    return (0..<(resting.count + arriving.count)).map { place in
      if let found = arriving[place] { return found }
      return resting.removeFirst()
    }
  }
  open func deleteSections(_ sections: IndexSet) { steps!.deletedSections.formUnion(sections) }
  open func insertSections(_ sections: IndexSet) { steps!.insertedSections.formUnion(sections) }
  open func moveSection(_ section: Int, toSection newSection: Int) { steps!.movedSections.append((section, newSection)) }
  open func deleteItems(at indexPaths: [IndexPath]) { steps!.deletes += indexPaths }
  open func insertItems(at indexPaths: [IndexPath]) { steps!.inserts += indexPaths }
  open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) { steps!.moves.append((indexPath, newIndexPath)) }

  /// Lays out what shows.
  open override func layOut() {
    collectionViewLayout.prepare()
    let new = asked
    precondition(counts == nil || counts == new, "the data source changes in batch updates")
    counts = new
    var cells: [IndexPath: UICollectionViewCell] = [:]
    var decorations: [String: [IndexPath: UICollectionReusableView]] = [:]
    for attributes in collectionViewLayout.layoutAttributesForElements(in: bounds) ?? [] {
      let path = attributes.indexPath
      if let kind = attributes.representedElementKind {
        let view = behind[kind]?[path] ?? collectionViewLayout.decorations[kind]!.init(frame: .zero)
        view.frame = attributes.frame
        view.apply(attributes)
        decorations[kind, default: [:]][path] = view
        continue
      }
      precondition(cells[path] == nil, "one cell a place")
      let isNew = shown[path] == nil
      let cell = shown[path] ?? dataSource!.collectionView(self, cellForItemAt: path)
      cell.frame = attributes.frame
      cell.apply(attributes)
      addSubview(cell)
      cells[path] = cell
      if isNew { delegate?.collectionView(self, willDisplay: cell, forItemAt: path) }
    }
    for (path, cell) in shown where cells[path] == nil {
      cell.removeFromSuperview()
      spare.append(cell)
    }
    (shown, behind) = (cells, decorations)
    for view in decorations.values.flatMap(\.values) + Array(cells.values) { view.layOut() }
  }
  /// A finger moves, and leaves.
  public func scroll(to offset: CGPoint) {
    contentOffset = collectionViewLayout.targetContentOffset(forProposedContentOffset: offset, withScrollingVelocity: .zero)
    layOut()
  }
}
