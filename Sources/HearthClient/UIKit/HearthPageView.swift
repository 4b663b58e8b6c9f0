// Not run on a device: type-checked, and run, against stubs of UIKit (Tests/ClientApp/UIKit).

#if canImport(UIKit) && !os(watchOS)
public import HomePayload
import JSON
import Polling
public import UIKit

/// Shows pages: laid out by a ``HearthLayout``, each change animated by batch updates. What scrolls sideways is a collection
/// view in one cell.
///
/// ```swift
/// let home = HearthPageView(server: server)
/// home.draw("banner") { items, old in … }
/// for await _ in client.states { if let page = await client.wholePage { home.show(page) } }
/// ```
public final class HearthPageView: UICollectionView {
  /// Draws items, mostly one: in the view that showed others of the kind before, or in a new one.
  public typealias Drawing = (_ items: [Item], _ old: UIView?) -> UIView

  /// Loads a picture by its address, for plain drawings and backgrounds: for apps with a cache of their own.
  public static var picture: @MainActor (URL) async -> UIImage? = { address in
    (try? await URLSession.shared.data(from: address)).flatMap { UIImage(data: $0.0) }
  }

  /// What a tap on an item does.
  public var onTap: ((Item) -> Void)? {
    get { drawings.onTap }
    set { drawings.onTap = newValue }
  }
  /// Told of the section and the list that a tab chose.
  public var onChoose: ((_ section: String, _ list: String) -> Void)?
  /// What one of an item's `actions` does: they are in a menu where the item is pressed for long, and assistive technologies
  /// offer them.
  public var onAction: ((Item, Action) -> Void)? {
    get { drawings.onAction }
    set { drawings.onAction = newValue }
  }
  /// Told of a section whose list goes on when its last cells show: `PageClient.more(of:)` brings more.
  public var onEnd: ((String) -> Void)?

  private let drawings: Drawings
  private let source: ArrangedSource
  private let pageBackground = HearthBackgroundView(frame: .zero)
  /// The page that it shows; `nil` before the first.
  public private(set) var page: Page?
  /// Which items of outlines the user opened and closed.
  private var opened: [String: Bool] = [:]
  /// Which list of a section its user chose.
  private var chosen: [String: String] = [:]
  private var measured: [String: UIView] = [:]

  /// A view that shows nothing yet.
  ///
  /// - Parameter server: What addresses of pictures are relative to.
  public init(server: URL? = nil) {
    drawings = Drawings(server: server)
    source = ArrangedSource(drawings)
    super.init(frame: .zero, collectionViewLayout: source.layout)
    source.begin(in: self)
    source.layout.arrange = { [weak self] width in self?.arranged(width) ?? Arrangement() }
    source.onDisplay = { [weak self] path in self?.look(at: path) }
    source.onTap = { [weak self] path in self?.tap(at: path) }
    drawings.onTab = { [weak self] section, list in self?.choose(list, of: section) }
    backgroundView = pageBackground
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }

  /// Draws a kind's items; an empty kind is that of cells with several, such as those that slots share, and `/tabs` that of
  /// tabs (``Section/tabs(choosing:)``).
  public func draw(_ kind: String, _ drawing: @escaping Drawing) { drawings.byKind[kind] = drawing }

  /// Shows a page, and animates what leads to it from the one before.
  public func show(_ page: Page) {
    guard page != self.page else { return }
    self.page = page
    pageBackground.drawn = HearthBackground(
      look: page.background, isRightToLeft: page.direction == .rightToLeft, server: drawings.server)
    source.show(arranged(Double(bounds.width)))
  }

  /// Shows another one of the lists that share a section.
  public func choose(_ list: String, of section: String) {
    chosen[section] = list
    source.show(arranged(Double(bounds.width)))
    onChoose?(section, list)
  }

  private func arranged(_ width: Double) -> Arrangement {
    guard let page else { return Arrangement() }
    // The app has of the screen what its window has.
    let window = window?.bounds
    let scale = traitCollection.displayScale
    return Arrangement(
      page.opened(opened), width: width, after: source.layout.arrangement, choosing: chosen,
      screen: window.map { .init(width: Double($0.width), height: Double($0.height)) },
      scale: scale > 0 ? Double(scale) : nil,
      measuring: { [unowned self] item, width in Double(size(of: item, in: CGFloat(width)).height) },
      measuringWidth: { [unowned self] item in Double(size(of: item, in: nil).width) })
  }

  /// A view that is never shown tells how much room a content needs.
  private func size(of item: Item, in width: CGFloat?) -> CGSize {
    let drawn = drawings.drawing(item.kind)([item], measured[item.kind])
    measured[item.kind] = drawn
    let least = UIView.layoutFittingCompressedSize
    return drawn.systemLayoutSizeFitting(
      CGSize(width: width ?? least.width, height: least.height),
      withHorizontalFittingPriority: width == nil ? .fittingSizeLevel : .required,
      verticalFittingPriority: .fittingSizeLevel)
  }

  private func look(at path: IndexPath) {
    guard let page, page.sections.indices.contains(path[0]), page.sections[path[0]].more != nil else { return }
    if path[1] >= source.layout.arrangement.bands[path[0]].cells.count - 5 { onEnd?(page.sections[path[0]].id) }
  }

  /// An item of an outline opens and closes.
  private func tap(at path: IndexPath) {
    let arrangement = source.layout.arrangement
    guard let cell = arrangement[path], cell.items.count == 1, let item = cell.items.first else { return }
    guard !item.children.isEmpty else {
      onTap?(item)
      return
    }
    opened["\(arrangement.bands[path[0]].id)/\(item.id)"] = item.expanded != true
    source.show(arranged(Double(bounds.width)))
  }
}

/// What draws the items of a page and of its rows.
@MainActor private final class Drawings {
  var byKind: [String: HearthPageView.Drawing] = [:]
  var onTap: ((Item) -> Void)?
  var onTab: ((_ section: String, _ list: String) -> Void)?
  var onAction: ((Item, Action) -> Void)?
  let server: URL?

  init(server: URL?) { self.server = server }

  func tap(_ item: Item) {
    guard item.kind == "/tabs", let section = item.content["section"]?.string else {
      onTap?(item)
      return
    }
    onTab?(section, item.id)
  }

  /// Does what an item offers.
  func performing(_ item: Item) -> (Action) -> Void { { [weak self] in self?.onAction?(item, $0) } }

  func drawing(_ kind: String) -> HearthPageView.Drawing {
    byKind[kind] ?? { [server] items, old in
      let view = old as? HearthPlainView ?? HearthPlainView(server: server)
      view.show(items)
      return view
    }
  }
}

/// Shows an arrangement in a collection view: a page's, or that of a row in it.
private final class ArrangedSource: NSObject, UICollectionViewDataSource, UICollectionViewDelegate {
  let layout = HearthLayout()
  var onDisplay: ((IndexPath) -> Void)?
  var onTap: ((IndexPath) -> Void)?
  private let drawings: Drawings
  private weak var view: UICollectionView?
  private var registered: Set<String> = []

  init(_ drawings: Drawings) {
    self.drawings = drawings
    super.init()
    layout.server = drawings.server
  }

  func begin(in view: UICollectionView) {
    self.view = view
    (view.dataSource, view.delegate) = (self, self)
    // What is prepared before it shows would miss what changes meanwhile.
    view.isPrefetchingEnabled = false
    view.register(RowCell.self, forCellWithReuseIdentifier: "/row")
  }

  /// Shows an arrangement in the place of the one before.
  ///
  /// - Parameter isAnimated: Whether what stays moves to where it is now.
  func show(_ next: Arrangement, isAnimated: Bool = true) {
    let old = layout.arrangement
    guard let view, isAnimated, !old.bands.isEmpty else {
      layout.arrangement = next
      view?.reloadData()
      return
    }
    let steps = BatchUpdates(from: old, to: next)
    if !steps.sections.isEmpty { perform(steps.sections, in: view, to: steps.between(old, next)) }
    if !steps.items.isEmpty { perform(steps.items, in: view, to: next) }
    // Where layouts alone changed there was no step.
    layout.arrangement = next
    if !steps.reconfigures.isEmpty { view.reconfigureItems(at: steps.reconfigures) }
    for path in view.indexPathsForVisibleItems { bindRow(view.cellForItem(at: path), at: path) }
  }

  private func perform(_ step: BatchUpdates.SectionStep, in view: UICollectionView, to next: Arrangement) {
    view.performBatchUpdates { [self] in
      layout.arrangement = next
      view.deleteSections(step.deletes)
      view.insertSections(step.inserts)
      for move in step.moves { view.moveSection(move.from, toSection: move.to) }
    }
  }

  private func perform(_ step: BatchUpdates.ItemStep, in view: UICollectionView, to next: Arrangement) {
    view.performBatchUpdates { [self] in
      layout.arrangement = next
      view.deleteItems(at: step.deletes)
      view.insertItems(at: step.inserts)
      for move in step.moves { view.moveItem(at: move.from, to: move.to) }
    }
  }

  func numberOfSections(in collectionView: UICollectionView) -> Int { layout.arrangement.bands.count }

  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
    layout.arrangement.bands[section].cells.count
  }

  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    guard let placed = layout.arrangement[indexPath], placed.row == nil else {
      let cell = collectionView.dequeueReusableCell(withReuseIdentifier: "/row", for: indexPath)
      bindRow(cell, at: indexPath)
      return cell
    }
    let kind = "kind \(placed.kind)"
    if registered.insert(kind).inserted {
      collectionView.register(ItemCell.self, forCellWithReuseIdentifier: kind)
    }
    let cell = collectionView.dequeueReusableCell(withReuseIdentifier: kind, for: indexPath)
    (cell as? ItemCell)?.show(placed, drawings)
    return cell
  }

  private func bindRow(_ cell: UICollectionViewCell?, at path: IndexPath) {
    guard let cell = cell as? RowCell, let placed = layout.arrangement[path], let row = placed.row else { return }
    let id = "\(layout.arrangement.bands[path[0]].id)/\(placed.id)"
    cell.show(row, of: id, drawings) { [weak layout] in layout?.arrangement.row(of: id) }
  }

  func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath
  ) { onDisplay?(indexPath) }

  #if !os(tvOS)
  func collectionView(
    _ collectionView: UICollectionView, contextMenuConfigurationForItemAt indexPath: IndexPath, point: CGPoint
  ) -> UIContextMenuConfiguration? {
    guard let cell = layout.arrangement[indexPath], cell.items.count == 1, !cell.items[0].actions.isEmpty else {
      return nil
    }
    let perform = drawings.performing(cell.items[0])
    return UIContextMenuConfiguration(identifier: nil, previewProvider: nil) { _ in cell.items[0].menu(perform) }
  }
  #endif

  func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
    if let onTap { return onTap(indexPath) }
    guard let cell = layout.arrangement[indexPath], cell.items.count == 1 else { return }
    drawings.tap(cell.items[0])
  }
}

/// A cell of items.
private final class ItemCell: UICollectionViewCell {
  private var shown: UIView?

  func show(_ placed: Arrangement.Cell, _ drawings: Drawings) {
    let items = placed.items
    let drawn = drawings.drawing(placed.kind)(items, shown)
    if drawn !== shown {
      shown?.removeFromSuperview()
      contentView.addSubview(drawn)
      shown = drawn
    }
    let told = items.count == 1 ? items[0].accessibility : nil
    isAccessibilityElement = told?.label != nil
    (accessibilityLabel, accessibilityHint) = (told?.label, told?.hint)
    accessibilityElementsHidden = told?.hidden ?? false
    accessibilityTraits =
      told?.traits.contains("header") == true
      ? .header : items.contains { $0.action != nil || $0.kind == "/tabs" } ? .button : []
    if told?.traits.contains("selected") == true { accessibilityTraits.insert(.selected) }
    accessibilityCustomActions = items.count == 1 ? items[0].accessibilityActions(drawings.performing(items[0])) : nil
    setNeedsLayout()
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    shown?.frame = contentView.bounds
  }
}

/// A cell with a row that scrolls sideways.
private final class RowCell: UICollectionViewCell {
  private var source: ArrangedSource?
  private var list: UICollectionView?
  private var id: String?
  private var isAtStart = false

  /// - Parameter current: The row as it is by then, for another width.
  func show(_ row: Arrangement, of id: String, _ drawings: Drawings, current: @escaping () -> Arrangement?) {
    let source = self.source ?? begin(drawings)
    source.layout.arrange = { _ in current() ?? row }
    let isSame = id == self.id && row.isRightToLeft == source.layout.arrangement.isRightToLeft
    source.show(row, isAnimated: isSame)
    if !isSame { isAtStart = false }
    self.id = id
    setNeedsLayout()
  }

  private func begin(_ drawings: Drawings) -> ArrangedSource {
    let source = ArrangedSource(drawings)
    let list = UICollectionView(frame: contentView.bounds, collectionViewLayout: source.layout)
    list.showsHorizontalScrollIndicator = false
    list.backgroundColor = .clear
    list.decelerationRate = .fast
    source.begin(in: list)
    contentView.addSubview(list)
    (self.source, self.list) = (source, list)
    return source
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    guard let source, let list else { return }
    list.frame = contentView.bounds
    guard !isAtStart, list.bounds.width > 0 else { return }
    // Another section's row may have been scrolled, and one that is read from the right begins at its end.
    isAtStart = true
    let left = source.layout.arrangement.beginning(showing: Double(list.bounds.width))
    list.setContentOffset(CGPoint(x: left, y: 0), animated: false)
  }
}

extension Arrangement {
  /// The row of a section and cell.
  fileprivate func row(of id: String) -> Arrangement? {
    for band in bands where id.hasPrefix(band.id) {
      for cell in band.cells where cell.row != nil && id == "\(band.id)/\(cell.id)" { return cell.row }
    }
    return nil
  }
}

extension Page {
  /// The page with items opened and closed as its user left them, by section and item.
  fileprivate func opened(_ opened: [String: Bool]) -> Page {
    guard !opened.isEmpty else { return self }
    var page = self
    for place in page.sections.indices where page.sections[place].layout.style == .outline {
      page.sections[place].items = page.sections[place].items.map { $0.opened(opened, in: page.sections[place].id) }
    }
    return page
  }
}

extension Item {
  fileprivate func opened(_ opened: [String: Bool], in section: String) -> Item {
    guard !children.isEmpty else { return self }
    var item = self
    item.expanded = opened["\(section)/\(id)"] ?? expanded
    item.children = children.map { $0.opened(opened, in: section) }
    return item
  }
}
#endif
