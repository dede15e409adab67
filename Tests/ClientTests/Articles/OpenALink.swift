import Foundation
import PouchApp
import PouchClient

/// The web address whose links open the app.
let shopAddress = URL(string: "https://shop.example")

@MainActor
func openLink(_ url: URL, in app: AppCoordinator) async {
    do {
        let isPage = try await app.open(url, of: shopAddress)
        if !isPage { app.notify(Notice("This link does not lead to a page of the shop.")) }
    } catch {
        if let failure = ScreenFailure(showing: error) { app.notify(Notice(failure.text)) }
    }
}

func link(to product: Product) -> URL? {
    ShopPage.product(handle: product.handle).url(of: shopAddress)
}

@MainActor
func receivePush(
    _ payload: [AnyHashable: Any], isTapped: Bool, in app: AppCoordinator
) async throws -> PushOutcome {
    try await app.receivePush(PushMessage(payload: payload, of: shopAddress), isTapped: isTapped)
}

@MainActor
func pagesToStore(of app: AppCoordinator) -> Data {
    app.pages.json
}

@MainActor
func returnToPages(_ stored: Data, in app: AppCoordinator) async {
    await app.restore([ShopPage](json: stored))
}
