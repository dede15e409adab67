import Foundation
import PouchContract
import PouchEntities
import PouchWire

extension WireShape {
    static let administrationAnswers: [WireShape] = [
        .answer(
            "catalog-import",
            CatalogImport(
                id: "imp_01", status: .published, rows: 12, created: 3, updated: 1, unchanged: 7, failed: 1,
                errors: [.init(line: 4, field: "Variant Price", code: "invalid", detail: "This is no price.")])),
        .answer(
            "managed-variant",
            ManagedVariant(sku: "71616-39-m", price: euros(12900), available: 4, onHand: 6, held: 2)),
        .answer("managed-discount", ManagedDiscount(id: "dis_01", terms: summerTerms, used: 3)),
        .answer(
            "managed-discount-page",
            Page(
                items: [
                    ManagedDiscount(id: "dis_02", terms: DiscountTerms(code: "POST", kind: .freeShipping), used: 0),
                    ManagedDiscount(
                        id: "dis_01", terms: DiscountTerms(code: "3FOR2", kind: .buyXGetY, buy: 2, get: 1), used: 7),
                ], nextCursor: "abc.def")),
        .answer(
            "scheduled-price",
            ScheduledPrice(
                id: "scp_01", sku: "71616-39-m", price: euros(9900),
                startsAt: Date(timeIntervalSince1970: 1_798_761_600),
                endsAt: Date(timeIntervalSince1970: 1_798_934_400))),
        .answer(
            "refund",
            Refund(
                id: "ref_01", amount: euros(11610), createdAt: moment, status: .pending,
                lines: [.init(sku: "71616-39-m", quantity: 1)], reason: "Came back")),
    ]

    static let administrationRequests: [WireShape] = [
        .request(
            "request-variant", VariantPatch(price: euros(9900), available: 12, adjust: -1),
            optional: ["price", "available", "adjust"]),
        .request(
            "request-discount-terms", summerTerms,
            optional: [
                "basisPoints", "startsAt", "endsAt", "minimum", "products", "categories", "limit", "limitPerAccount",
            ]),
        .request(
            "request-discount-patch", discountPatch,
            optional: [
                "code", "kind", "amount", "startsAt", "endsAt", "minimum", "products", "categories", "limit",
                "limitPerAccount",
            ]),
        .request(
            "request-scheduled-price",
            ScheduledPriceRequest(
                sku: "71616-39-m", price: euros(9900), startsAt: Date(timeIntervalSince1970: 1_798_761_600),
                endsAt: Date(timeIntervalSince1970: 1_798_934_400))),
        .request(
            "request-refund",
            RefundOrderRequest(
                amount: euros(500), lines: [LineRequest(sku: "71616-39-m", quantity: 1)], reason: "Came back"),
            optional: ["amount", "lines"]),
    ]

    static let summerTerms = DiscountTerms(
        code: "SUMMER", kind: .percentage, basisPoints: 1250, startsAt: Date(timeIntervalSince1970: 1_798_761_600),
        endsAt: Date(timeIntervalSince1970: 1_798_934_400), minimum: euros(5000), products: ["ribbed-cardigan"],
        categories: ["cardigans"], limit: 100, limitPerAccount: 1)

    private static var discountPatch: DiscountPatch {
        var patch = DiscountPatch()
        patch.code = "SUMMER-2"
        patch.kind = .amount
        patch.amount = .set(euros(1000))
        patch.startsAt = .set(Date(timeIntervalSince1970: 1_798_761_600))
        patch.endsAt = .clear
        patch.minimum = .set(euros(5000))
        patch.products = .set(["ribbed-cardigan"])
        patch.categories = .clear
        patch.limit = .set(10)
        patch.limitPerAccount = .clear
        return patch
    }
}
