// Not run on a device: type-checked, and run, against stubs of UIKit (Tests/ClientApp/UIKit).

#if canImport(UIKit) && !os(watchOS)
import HomePayload
public import Polling
public import UIKit

/// Lays out a collection view as an ``Arrangement`` says, with the cells of its bands as items.
///
/// Headers and sections stay at the top and floating sections at the bottom while the view scrolls, backgrounds are decoration views, and
/// a row comes to rest at its stops. ``HearthPageView`` uses it for a page and for each row in it; with a data source of the
/// app's own, a diffable one too, identifiers are a band's id and its cells' ids.
public final class HearthLayout: UICollectionViewLayout {
  /// What is laid out. A change invalidates the layout.
  public var arrangement: Arrangement {
    get { current }
    set {
      former = decorations
      current = newValue
      invalidateLayout()
    }
  }

  /// Makes the arrangement for another width, such as after a rotation; `nil` leaves it as it is.
  public var arrange: ((Double) -> Arrangement)?

  /// What pictures of backgrounds are relative to.
  public var server: URL?

  private var current = Arrangement()
  /// The decoration views before the last change.
  private var former: [String: Set<IndexPath>] = [:]
  private static let backgroundKind = "background"
  private static let separatorKind = "separator"

  /// A layout of nothing.
  public override init() {
    super.init()
    register(HearthBackgroundView.self, forDecorationViewOfKind: Self.backgroundKind)
    register(HearthBackgroundView.self, forDecorationViewOfKind: Self.separatorKind)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }

  /// Lays out anew where the width is another one.
  public override func prepare() {
    super.prepare()
    guard let arrange, let width = collectionView?.bounds.width, Double(width) != arrangement.width else { return }
    current = arrange(Double(width))
  }

  /// The size of all that scrolls.
  public override var collectionViewContentSize: CGSize { arrangement.size }

  private var visible: CGRect { collectionView?.bounds ?? .zero }

  /// What is in a rectangle.
  public override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
    arrangement.elements(in: rect, showing: visible).compactMap { attributes(of: $0) }
  }

  /// Where a cell is.
  public override func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    arrangement[indexPath] == nil ? nil : attributes(of: .cell(indexPath))
  }

  /// Where a section's background is, or the line below a row.
  public override func layoutAttributesForDecorationView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    attributes(of: elementKind == Self.separatorKind ? .separator(indexPath) : .background(indexPath[0]))
  }

  private func attributes(of element: Arrangement.Element) -> UICollectionViewLayoutAttributes? {
    let attributes: UICollectionViewLayoutAttributes
    let band: Arrangement.Band?
    switch element {
    case .cell(let path):
      attributes = UICollectionViewLayoutAttributes(forCellWith: path)
      band = arrangement.bands[path[0]]
      // A header that stays is above what scrolls below it.
      attributes.zIndex = [.header, .tabs].contains(arrangement[path]?.part) ? 3 : 1
    case .background(let place):
      band = arrangement.bands.indices.contains(place) ? arrangement.bands[place] : nil
      attributes = decoration(Self.backgroundKind, IndexPath(indexes: [place, 0]), band?.background?.look)
      attributes.zIndex = 0
    case .separator(let path):
      band = arrangement[path].map { _ in arrangement.bands[path[0]] }
      let look = arrangement[path]?.separator.map { _ in SectionLayout.Background(color: band?.separatorColor) }
      attributes = decoration(Self.separatorKind, path, look)
      attributes.zIndex = 2
    }
    // What stays is above what scrolls below it, and what floats above all.
    if band?.stay.sticky != nil { attributes.zIndex += 5 }
    if band?.isFloating == true { attributes.zIndex += 10 }
    attributes.frame = arrangement.frame(of: element, showing: visible)
    return attributes
  }

  /// Hidden without a look: a view that shows is asked about while what it belongs to goes.
  private func decoration(
    _ kind: String, _ path: IndexPath, _ look: SectionLayout.Background?
  ) -> UICollectionViewLayoutAttributes {
    let attributes = HearthBackgroundAttributes(forDecorationViewOfKind: kind, with: path)
    attributes.isHidden = look == nil
    attributes.drawn.value = HearthBackground(look: look, isRightToLeft: arrangement.isRightToLeft, server: server)
    return attributes
  }

  /// All decoration views that there are, by their kinds.
  private var decorations: [String: Set<IndexPath>] {
    var found: [String: Set<IndexPath>] = [:]
    for (place, band) in arrangement.bands.enumerated() {
      if band.background != nil { found[Self.backgroundKind, default: []].insert(IndexPath(indexes: [place, 0])) }
      for (cell, item) in band.cells.enumerated() where item.separator != nil {
        found[Self.separatorKind, default: []].insert(IndexPath(indexes: [place, cell]))
      }
    }
    return found
  }

  /// Lines and backgrounds that are gone after a batch update.
  public override func indexPathsToDeleteForDecorationView(ofKind elementKind: String) -> [IndexPath] {
    (former[elementKind] ?? []).subtracting(decorations[elementKind] ?? []).sorted()
  }

  /// Lines and backgrounds that are new after a batch update.
  public override func indexPathsToInsertForDecorationView(ofKind elementKind: String) -> [IndexPath] {
    (decorations[elementKind] ?? []).subtracting(former[elementKind] ?? []).sorted()
  }

  /// Whether what shows is laid out otherwise: for another width, and where something stays while the rest scrolls.
  public override func shouldInvalidateLayout(forBoundsChange newBounds: CGRect) -> Bool {
    newBounds.width != visible.width || !arrangement.moving(showing: newBounds).isEmpty
      || !arrangement.moving(showing: visible).isEmpty
  }

  /// While it scrolls, only what stays is laid out anew.
  public override func invalidationContext(
    forBoundsChange newBounds: CGRect
  ) -> UICollectionViewLayoutInvalidationContext {
    let context = super.invalidationContext(forBoundsChange: newBounds)
    guard newBounds.width == visible.width else { return context }
    let moving = Set(arrangement.moving(showing: newBounds) + arrangement.moving(showing: visible))
    var (cells, backgrounds, separators): ([IndexPath], [IndexPath], [IndexPath]) = ([], [], [])
    for element in moving {
      switch element {
      case .cell(let path): cells.append(path)
      case .background(let place): backgrounds.append(IndexPath(indexes: [place, 0]))
      case .separator(let path): separators.append(path)
      }
    }
    context.invalidateItems(at: cells)
    context.invalidateDecorationElements(ofKind: Self.backgroundKind, at: backgrounds)
    context.invalidateDecorationElements(ofKind: Self.separatorKind, at: separators)
    return context
  }

  /// Where a row comes to rest.
  public override func targetContentOffset(
    forProposedContentOffset proposedContentOffset: CGPoint, withScrollingVelocity velocity: CGPoint
  ) -> CGPoint {
    guard arrangement.isSideways else { return proposedContentOffset }
    let left = arrangement.resting(near: Double(proposedContentOffset.x), showing: Double(visible.width))
    return CGPoint(x: left, y: Double(proposedContentOffset.y))
  }
}
#endif
