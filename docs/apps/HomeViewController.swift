import HearthClient
import HomePayload
import UIKit

final class HomeViewController: UIViewController {
  private let client = SceneDelegate.client
  private let home = HearthPageView(server: SceneDelegate.settings.server)

  override func loadView() { view = home }

  override func viewDidLoad() {
    home.onTap = { item in item.action?.url.flatMap { URL(string: $0) }.map { UIApplication.shared.open($0) } }
    home.onEnd = { [weak self] id in Task { _ = try? await self?.client.more(of: id); await self?.show() } }
    Task { [weak self, client] in for await _ in client.states { await self?.show() } }
  }

  private func show() async { await client.wholePage.map { home.show($0) } }
}

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  static var settings = PageClientSettings(server: URL(string: "https://home.example.com")!)
  static let client: PageClient = {
    (settings.platform, settings.appVersion, settings.wait) = ("ios", "6.0.0", 50)
    let folder = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
    return PageClient(settings, storage: .file(folder.appendingPathComponent("home.page")))
  }()

  func sceneWillEnterForeground(_ scene: UIScene) { Task { await Self.client.enterForeground() } }
  func sceneDidEnterBackground(_ scene: UIScene) { Task { await Self.client.enterBackground() } }
}
