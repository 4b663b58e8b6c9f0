// swift-format-ignore-file
// The names of UIKit that the app of docs/apps.md uses, as Apple declares them, so that it is compiled where there is no UIKit.

@_exported import Foundation

@MainActor open class UIResponder {
  public init() {}
}

@MainActor open class UIViewController: UIResponder {
  open var title: String?
  open func viewDidLoad() {}
}

@MainActor open class UICollectionViewController: UIViewController {
  open var collectionView: UICollectionView!
  public init(collectionViewLayout layout: UICollectionViewLayout) { super.init() }
  public required init?(coder: NSCoder) { nil }
}

@MainActor open class UICollectionView {
  public struct CellRegistration<Cell: UICollectionViewCell, Item: Sendable> {
    public typealias Handler = (_ cell: Cell, _ indexPath: IndexPath, _ itemIdentifier: Item) -> Void
    public init(handler: @escaping Handler) {}
  }
  open var collectionViewLayout = UICollectionViewLayout()
  open var bounds = CGRect.zero
  open func dequeueConfiguredReusableCell<Cell, Item>(
    using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
  ) -> Cell { fatalError() }
}

@MainActor open class UICollectionViewCell {
  public var contentConfiguration: (any UIContentConfiguration)?
}

open class UICollectionViewListCell: UICollectionViewCell {
  public func defaultContentConfiguration() -> UIListContentConfiguration { UIListContentConfiguration() }
}

public protocol UIContentConfiguration {}
public struct UIListContentConfiguration: UIContentConfiguration {
  public var text: String?
}

@MainActor open class UICollectionViewLayout {
  public init() {}
  open func invalidateLayout() {}
}

@MainActor open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  public init(
    sectionProvider: @escaping (Int, any NSCollectionLayoutEnvironment) -> NSCollectionLayoutSection?
  ) { super.init() }
}

@MainActor public protocol NSCollectionLayoutContainer { var effectiveContentSize: CGSize { get } }
@MainActor public protocol NSCollectionLayoutEnvironment { var container: any NSCollectionLayoutContainer { get } }
@MainActor open class NSCollectionLayoutSection {
  public init(group: NSCollectionLayoutGroup) {}
}
@MainActor open class NSCollectionLayoutGroup {
  public class func custom(
    layoutSize: NSCollectionLayoutSize,
    itemProvider: @escaping (any NSCollectionLayoutEnvironment) -> [NSCollectionLayoutGroupCustomItem]
  ) -> NSCollectionLayoutGroup { fatalError() }
}
@MainActor open class NSCollectionLayoutGroupCustomItem {
  public init(frame: CGRect) {}
}
@MainActor open class NSCollectionLayoutSize {
  public init(widthDimension: NSCollectionLayoutDimension, heightDimension: NSCollectionLayoutDimension) {}
}
@MainActor open class NSCollectionLayoutDimension {
  public class func absolute(_ absoluteDimension: CGFloat) -> Self { fatalError() }
}

@MainActor
open class UICollectionViewDiffableDataSource<Section: Hashable & Sendable, Item: Hashable & Sendable> {
  public typealias CellProvider = (UICollectionView, IndexPath, Item) -> UICollectionViewCell?
  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {}
  public func apply(_ snapshot: NSDiffableDataSourceSnapshot<Section, Item>, animatingDifferences: Bool = true) {}
}

public struct NSDiffableDataSourceSnapshot<Section: Hashable & Sendable, Item: Hashable & Sendable> {
  public init() {}
  public mutating func appendSections(_ identifiers: [Section]) {}
  public mutating func appendItems(_ identifiers: [Item], toSection sectionIdentifier: Section? = nil) {}
  public mutating func reconfigureItems(_ identifiers: [Item]) {}
}

@MainActor open class UIScene {}
@MainActor public protocol UIWindowSceneDelegate {
  func sceneWillEnterForeground(_ scene: UIScene)
  func sceneDidEnterBackground(_ scene: UIScene)
}
