import PouchDomain
import PouchFeed

/// The columns of Shopify's product CSV that say something to this shop; the raw values are their headers.
enum ShopifyColumn: String, CaseIterable {
    case handle = "Handle"
    case title = "Title"
    case body = "Body (HTML)"
    case type = "Type"
    case tags = "Tags"
    case published = "Published"
    case status = "Status"
    case option1Name = "Option1 Name"
    case option1Value = "Option1 Value"
    case option2Name = "Option2 Name"
    case option2Value = "Option2 Value"
    case option3Name = "Option3 Name"
    case option3Value = "Option3 Value"
    case sku = "Variant SKU"
    case grams = "Variant Grams"
    case quantity = "Variant Inventory Qty"
    case price = "Variant Price"
    case compareAtPrice = "Variant Compare At Price"
    case imageSource = "Image Src"
    case imagePosition = "Image Position"
    case imageAlt = "Image Alt Text"

    static let required: [Self] = [.handle, .title, .price]
    static let options: [(name: Self, value: Self)] = [
        (.option1Name, .option1Value), (.option2Name, .option2Value), (.option3Name, .option3Value),
    ]
}
