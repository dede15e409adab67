import PouchCoordination
import PouchEntities
import PouchScreens

/// One promotion. What it asks for goes up through the slider and the screen to whoever can sell.
@MainActor
final class PromotionCell: Responder {
    let promotion: Promotion
    private(set) weak var coordinatingResponder: (any Responder)?

    init(_ promotion: Promotion, in container: PromotionSlider) {
        self.promotion = promotion
        coordinatingResponder = container
    }

    func buyNow() async throws {
        let product = promotion.product
        try await send(to: (any PurchaseMessages).self) { try await $0.purchaseNow(product) }
    }
}
