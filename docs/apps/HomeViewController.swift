import HearthClient
import HomePayload
import UIKit

final class HomeViewController: UICollectionViewController {
  private typealias Snapshot = NSDiffableDataSourceSnapshot<String, String>
  private let client: PageClient
  private var page: Page?
  private var texts: [String: String] = [:]
  private var polling: Task<Void, Never>?
  private var dataSource: UICollectionViewDiffableDataSource<String, String>?

  init(client: PageClient) {
    self.client = client
    super.init(collectionViewLayout: UICollectionViewLayout())
  }

  required init?(coder: NSCoder) { nil }

  deinit { polling?.cancel() }

  override func viewDidLoad() {
    super.viewDidLoad()
    collectionView.collectionViewLayout = UICollectionViewCompositionalLayout { [weak self] position, environment in
      self?.layout(position, width: environment.container.effectiveContentSize.width)
    }
    let cell = UICollectionView.CellRegistration<UICollectionViewListCell, String> { [weak self] cell, _, id in
      var content = cell.defaultContentConfiguration()
      content.text = self?.texts[id]
      cell.contentConfiguration = content
    }
    dataSource = UICollectionViewDiffableDataSource(collectionView: collectionView) { view, path, id in
      view.dequeueConfiguredReusableCell(using: cell, for: path, item: id)
    }
    polling = Task { [weak self, client] in
      for await state in client.states { self?.show(state) }
    }
  }

  private func show(_ state: PageState) {
    if case .stale(let since) = state.standing { title = since.map { "As of \($0)" } } else { title = nil }
    guard let page = state.page, page != self.page else { return }
    let isFirst = self.page == nil
    self.page = page
    let before = texts
    texts = [:]
    var snapshot = Snapshot()
    for section in page.sections {
      snapshot.appendSections([section.id])
      let cells = frames(of: section, width: collectionView.bounds.width).cells
      snapshot.appendItems(cells.map { Self.id($0, section) }, toSection: section.id)
      for cell in cells { texts[Self.id(cell, section)] = Self.text(cell, section) }
    }
    snapshot.reconfigureItems(texts.keys.filter { before[$0] != nil && before[$0] != texts[$0] })
    dataSource?.apply(snapshot, animatingDifferences: !isFirst)
    // Of a page whose layouts alone changed the snapshot is the same.
    collectionView.collectionViewLayout.invalidateLayout()
  }

  private static func id(_ cell: SectionFrames.Cell, _ section: Section) -> String {
    "\(section.id)/\(cell.part.rawValue)/\(cell.item?.id ?? "")"
  }

  /// The text of a cell's item, or of all items that share the cell.
  private static func text(_ cell: SectionFrames.Cell, _ section: Section) -> String {
    let shared = cell.part == .list ? section.items : section.slots.sorted { $0.key < $1.key }.map(\.value)
    let items = cell.item.map { [$0] } ?? shared
    return items.compactMap { ($0.content["title"] ?? $0.content["text"])?.string }.joined(separator: " · ")
  }

  private func frames(of section: Section, width: Double) -> SectionFrames {
    SectionFrames(section, width: width, measuring: { _, _ in 44 })
  }

  private func layout(_ position: Int, width: Double) -> NSCollectionLayoutSection? {
    guard let page, page.sections.indices.contains(position) else { return nil }
    let frames = frames(of: page.sections[position], width: width)
    let size = NSCollectionLayoutSize(widthDimension: .absolute(width), heightDimension: .absolute(frames.height))
    let group = NSCollectionLayoutGroup.custom(layoutSize: size) { _ in
      frames.cells.map {
        NSCollectionLayoutGroupCustomItem(frame: CGRect(x: $0.x, y: $0.y, width: $0.width, height: $0.height))
      }
    }
    return NSCollectionLayoutSection(group: group)
  }
}

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  static let client: PageClient = {
    var settings = PageClientSettings(server: URL(string: "https://home.example.com")!)
    settings.platform = "ios"
    settings.appVersion = "6.0.0"
    settings.wait = 50
    let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
    return PageClient(settings, storage: .file(folder.appendingPathComponent("home.page")))
  }()

  func sceneWillEnterForeground(_ scene: UIScene) { Task { await Self.client.enterForeground() } }
  func sceneDidEnterBackground(_ scene: UIScene) { Task { await Self.client.enterBackground() } }
}
