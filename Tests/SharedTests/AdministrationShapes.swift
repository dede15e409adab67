import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchWire

// The values of the golden documents of answers to administrators.
extension WireShape {
    static let administrationAnswers: [WireShape] = [
        .answer(
            "secret-webhook",
            SecretWebhook(
                webhook: WebhookEndpoint(
                    id: "whk_01", url: "https://example.com/pouch", types: [.orderPaid],
                    description: "The warehouse", status: .paused, failingSince: newYear,
                    previousSecretEndsAt: twoDaysLater, createdAt: newYear),
                secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")),
        .answer(
            "webhook-delivery",
            WebhookDelivery(
                id: "dlv_01", webhookId: "whk_01", eventId: "evt_01", type: .orderPaid, objectId: "ord_01",
                status: .pending,
                attempts: [
                    .init(at: newYear, milliseconds: 12, status: 500, answer: "broken"),
                    .init(at: newYear, milliseconds: 10_000, error: "The endpoint did not answer completely in time."),
                ], nextAttemptAt: twoDaysLater, createdAt: newYear)),
        .answer(
            "audit-entry",
            AuditEntry(
                id: "aud_01", at: newYear, actor: "acc_01", actorName: "Grace", actorEmail: "grace@example.com",
                action: "updateVariant", object: "/v1/admin/variants/a",
                before: ["available": 1], values: ["available": 2], address: "192.0.2.1", requestId: "r1")),
        .answer(
            "event-page",
            EventPage(
                items: [
                    ShopEvent(
                        id: "evt_01", type: .stockLow, createdAt: newYear, objectId: "a",
                        data: EventData(stock: Availability(sku: "a", price: euros(12900), available: 3)))
                ], hasMore: true)),
        .answer(
            "catalog-import",
            CatalogImport(
                id: "imp_01", status: .published, rows: 12, created: 3, updated: 1, unchanged: 7, failed: 1,
                errors: [.init(line: 4, field: "Variant Price", code: "invalid", detail: "This is no price.")],
                notes: [.init(line: 2, field: "Vendor", code: "not_used", detail: "The shop has no such column.")])),
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
        .answer("order-tracked", tracked),
        .answer(
            "managed-order",
            ManagedOrder(
                order: undelivered,
                customer: Profile(id: "acc_01", name: "Alinta", email: "alinta@example.com"),
                refunds: [Refund(id: "ref_01", amount: euros(500), createdAt: moment)],
                refundable: Refundable(
                    amount: euros(1000), lines: [.init(sku: "71616-39-m", quantity: 1, amount: euros(900))]),
                holdExpiresAt: moment, discountCode: "TEN",
                notes: [OrderNote(id: "not_01", text: "A gift", author: "Grace", createdAt: moment)])),
        .answer("order-note", OrderNote(id: "not_02", text: "A gift", author: nil, createdAt: moment)),
        .answer(
            "customer-page",
            Page(items: [
                customer,
                Customer(
                    id: "acc_02", name: "Bea", email: "bea@example.com", createdAt: moment, orderCount: 0,
                    spent: euros(0)),
            ])),
        .answer(
            "customer-details",
            CustomerDetails(customer: customer, addresses: [shortAddress(id: "adr_01")], orders: [undelivered])),
        .answer(
            "sales-report",
            SalesReport(
                from: moment, until: Date(timeIntervalSince1970: 1_798_934_400), by: .day, timeZone: "Europe/Berlin",
                periods: [
                    SalesPeriod(startsAt: moment, endsAt: Date(timeIntervalSince1970: 1_798_934_400), figures: figures)
                ],
                total: figures,
                bestByUnits: [BestSeller(sku: "71616-39-m", name: "Ribbed cardigan", units: 2, revenue: euros(23220))],
                bestByRevenue: [])),
        .answer(
            "stock-level-page",
            Page(
                items: [
                    StockLevel(
                        sku: "71616-39-m", productHandle: "ribbed-cardigan", name: "Ribbed cardigan",
                        options: ["Size": "M"], onHand: 6, held: 2, available: 4)
                ], nextCursor: "abc.def")),
        .answer(
            "refund",
            Refund(
                id: "ref_01", amount: euros(11610), createdAt: moment, status: .pending,
                lines: [.init(sku: "71616-39-m", quantity: 1)], reason: "Came back")),
        .answer(
            "user-session-staff",
            UserSession(
                id: "ses_03", kind: .admin, profile: Profile(id: "acc_02", name: "Grace", email: "grace@example.com"),
                remoteSession: remoteSession, role: .readOnly)),
        .answer(
            "staff-member-page",
            Page(items: [
                StaffMember(
                    id: "inv_01", status: .invited, role: .support, email: "joan@example.com",
                    invitationExpiresAt: moment),
                StaffMember(
                    id: "acc_02", status: .active, role: .owner, email: "grace@example.com", name: "Grace",
                    hasSecondFactor: true),
            ])),
        .answer("new-api-key", NewAPIKey(key: tillKey, token: "sk_01_secret")),
        .answer("api-key-page", Page(items: [tillKey], nextCursor: "abc.def")),
        .answer("second-factor", SecondFactor(isEnabled: true, recoveryCodesLeft: 9)),
        .answer("second-factor-required", SecondFactor(isEnabled: false, recoveryCodesLeft: 0, isRequired: true)),
        .answer(
            "second-factor-secret",
            SecondFactorSecret(secret: "GEZDGNBVGY3TQOJQ", uri: "otpauth://totp/Pouch:a?secret=GEZDGNBVGY3TQOJQ")),
        .answer("recovery-codes", RecoveryCodes(codes: ["0123-4567-89ab-cdef"])),
    ]

    private static let tillKey = APIKey(
        id: "key_01", name: "till", scopes: [.readOrders, .refundOrders], createdAt: moment, createdBy: "acc_02",
        expiresAt: moment, lastUsedAt: moment)

    // MARK: Values
    private static let customer = Customer(
        id: "acc_01", name: "Alinta", email: "alinta@example.com", mobileNumber: "+61 400 000 000", createdAt: moment,
        orderCount: 2, spent: euros(12110))
    private static let figures = SalesFigures(
        orders: 1, units: 2, gross: euros(25800), discounts: euros(2580), shipping: euros(500), tax: euros(1854),
        charged: euros(23720), refunds: euros(11610), net: euros(12110))
    static let summerTerms = DiscountTerms(
        code: "SUMMER", kind: .percentage, basisPoints: 1250, startsAt: Date(timeIntervalSince1970: 1_798_761_600),
        endsAt: Date(timeIntervalSince1970: 1_798_934_400), minimum: euros(5000), products: ["ribbed-cardigan"],
        categories: ["cardigans"], limit: 100, limitPerAccount: 1)
}
