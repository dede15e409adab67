import Foundation
import PouchContract
import PouchEntities
import PouchWire

// The values of the golden documents of products as administrators see and change them.
extension WireShape {
    private static let start = Date(timeIntervalSince1970: 1_798_761_600)
    private static let end = Date(timeIntervalSince1970: 1_798_934_400)

    static let productAnswers: [WireShape] = [
        .answer(
            "managed-product",
            ManagedProduct(
                id: "prd_01", version: 3, state: ProductState(.draft, publishAt: start, withdrawAt: end),
                details: ProductDetails(
                    handle: "cap", name: "Cap", styleCode: "716", description: "Warm.", seasonId: "71", themeId: "716",
                    category: "hats", tags: ["wool"], materials: ["Wool"], careInstructions: "Wash cold.",
                    options: [ProductOption(name: "Size", values: ["S"])],
                    images: [ProductImage(url: "/assets/pictures/1.png", alt: "A cap")],
                    promoImage: ProductImage(url: "/assets/pictures/2.png", alt: "Caps")),
                updatedAt: start,
                variants: [
                    StockedVariant(
                        sku: "cap-s", options: ["Size": "S"], price: euros(1000), compareAtPrice: euros(1200),
                        weightGrams: 80, available: 3, onHand: 5, held: 2)
                ])),
        .answer(
            "managed-promotion",
            ManagedPromotion(
                productId: "prd_01", handle: "cap", name: "Cap", status: .published,
                image: ProductImage(url: "/assets/pictures/2.png", alt: "Caps"), position: 0)),
        .answer(
            "picture",
            Picture(url: "/assets/pictures/1.png", mediaType: "image/png", width: 40, height: 30, byteCount: 812)),
    ]

    static let productRequests: [WireShape] = [
        .request(
            "request-product",
            ProductTerms(
                name: "Cap", handle: "cap", status: .draft, publishAt: start, withdrawAt: end, styleCode: "716",
                description: "Warm.", seasonId: "71", themeId: "716", category: "hats", tags: ["wool"],
                materials: ["Wool"], careInstructions: "Wash cold.",
                options: [ProductOption(name: "Size", values: ["S"])],
                images: [ProductImage(url: "/assets/pictures/1.png", alt: "A cap")],
                promoImage: ProductImage(url: "/assets/pictures/2.png", alt: "Caps"),
                variants: [
                    VariantTerms(
                        sku: "cap-s", options: ["Size": "S"], price: euros(1000), compareAtPrice: euros(1200),
                        weightGrams: 80, stock: 5)
                ]),
            optional: [
                "handle", "status", "publishAt", "withdrawAt", "styleCode", "description", "seasonId", "themeId",
                "category", "tags", "materials", "careInstructions", "options", "images", "promoImage", "variants",
                "variants.0.sku", "variants.0.options", "variants.0.compareAtPrice", "variants.0.weightGrams",
                "variants.0.stock",
            ]),
        .request(
            "request-product-patch",
            ProductPatch(name: "Cap", status: .withdrawn, publishAt: .set(start), description: .clear, tags: ["wool"]),
            optional: ["name", "status", "publishAt", "description", "tags"]),
        .request("request-name", NameRequest(name: "Hats")),
        .request(
            "request-season", SeasonTerms(name: "Summer", startsAt: start, endsAt: end),
            optional: ["startsAt", "endsAt"]),
        .request("request-theme", ThemeRequest(name: "Beach", seasonId: "71")),
        .request(
            "request-promotions",
            PromotionsRequest(items: [
                PromotionTerms(product: "cap", image: ProductImage(url: "/assets/pictures/2.png", alt: "Caps"))
            ]),
            optional: ["items.0.image"]),
    ]
}
